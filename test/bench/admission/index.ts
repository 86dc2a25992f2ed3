/**
 * Admission: nothing, CRD rules alone, a webhook of controller-runtime, one of Pepr and ours, all installed on one API server, in turns. Needs Go and
 * npm. `node test/bench/admission/index.ts [ROUNDS] [CREATES]` (20, 50): so many rounds of so many creates by one client, and twice as many by 16.
 */
import { figure } from "../figure.ts";
import { coldStarts } from "./cold-starts.ts";
import { loads } from "./loads.ts";
import { startScene } from "./scene.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const [rounds = 20, creates = 50] = process.argv.slice(2).map(Number);

await using scene = await startScene(say);
figure("admission-bundle-kb", scene.bundleBytes / 1000, "below-100");
await coldStarts(scene, rounds, say);
await loads(scene, { rounds, creates }, say);
