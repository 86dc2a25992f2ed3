import { serveAdmission } from "../shared/serve/admission-server.ts";
import { validate } from "./validate.ts";

await serveAdmission([validate], process.env);
