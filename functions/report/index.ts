import { serveReconcile } from "../shared/serve/serve-reconcile.ts";
import { report } from "./report.ts";

await serveReconcile([report], process.env);
