/** `npm test`: the checks, the bundles, then every test, in stages from the quickest to the whole node. */
import { stagesFrom, usage } from "./support/runner/stages.ts";
import { runStages } from "./support/runner/run-stages.ts";

const wanted = stagesFrom(process.argv.slice(2));
if (wanted === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  process.exitCode = await runStages(wanted, { isCI: process.env["CI"] === "true" });
}
