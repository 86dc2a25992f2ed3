import { serveReconcile } from "../shared/serve/serve-reconcile.ts";
import { provision } from "./provision.ts";

await serveReconcile([provision], process.env);
