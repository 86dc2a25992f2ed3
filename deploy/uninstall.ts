/** `npm run uninstall`: SampleDB's functions out of a cluster; databases stay. */
import { main } from "./shared/main.ts";
import { parseOptions, USAGE } from "./uninstall/options.ts";
import { uninstall } from "./uninstall/uninstall.ts";

// npm starts its scripts in the checkout; INIT_CWD is where the user was.
const cwd = process.env["INIT_CWD"] ?? process.cwd();

process.exitCode = await main({
  parsed: parseOptions(process.argv.slice(2), cwd),
  usage: USAGE,
  connection: ({ context }) => (context === undefined ? {} : { context }),
  interrupted: "Run the same again to go on, or npm run deploy to bring everything back.",
  go: uninstall,
});
