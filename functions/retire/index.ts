import { serveReconcile } from "../shared/serve/serve-reconcile.ts";
import { retire } from "./retire.ts";

await serveReconcile([retire], process.env);
