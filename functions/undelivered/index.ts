import { servePasses } from "../shared/serve/serve-passes.ts";
import { undeliveredWork } from "./undelivered-work.ts";

await servePasses((surroundings, counted) => ({ "/": undeliveredWork(surroundings, counted) }), process.env);
