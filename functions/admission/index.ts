import { mutate } from "../mutate/mutate.ts";
import { serveAdmission } from "../shared/serve/admission-server.ts";
import { validate } from "../validate/validate.ts";

await serveAdmission([mutate, validate], process.env);
