import { log } from "../shared/serve/log.ts";
import { resyncOnce } from "./resync-once.ts";
import { serveResync } from "./serve-resync.ts";

const [mode, scope, ...more] = process.argv.slice(2);
if (mode === undefined) await serveResync(process.env);
else if (mode === "once" && more.length === 0)
  // Not only the code: a collector of traces that does not answer must hold up no tick.
  process.exit(await resyncOnce(scope ?? process.env["SCOPE"], process.env));
else {
  log({
    level: "error",
    message: `The arguments are ${JSON.stringify(process.argv.slice(2))}: give none, or once [namespace[/name]].`,
  });
  process.exitCode = 2;
}
