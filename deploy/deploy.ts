/** `npm run deploy`: SampleDB's functions into a cluster. */
import { deploy } from "./install/deploy.ts";
import { parseOptions, USAGE } from "./install/options.ts";
import { main } from "./shared/main.ts";

// npm starts its scripts in the checkout; INIT_CWD is where the user was.
const cwd = process.env["INIT_CWD"] ?? process.cwd();

process.exitCode = await main({
  parsed: parseOptions(process.argv.slice(2), cwd),
  usage: USAGE,
  connection: ({ context }) => (context === undefined ? {} : { context }),
  interrupted: "What was applied stays. Run the same again to go on, or npm run uninstall to take it away.",
  go: deploy,
});
