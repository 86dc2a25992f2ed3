import { resyncOnce } from "./resync-once.ts";
import { serveResync } from "./serve-resync.ts";

const [mode, scope] = process.argv.slice(2);
if (mode === "once") process.exitCode = await resyncOnce(scope, process.env);
else await serveResync(process.env);
