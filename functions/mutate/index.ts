import { serveAdmission } from "../shared/serve/admission-server.ts";
import { mutate } from "./mutate.ts";

await serveAdmission([mutate], process.env);
