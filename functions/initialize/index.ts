import { serveReconcile } from "../shared/serve/serve-reconcile.ts";
import { initialize } from "./initialize.ts";

await serveReconcile([initialize], process.env);
