/**
 * What runs at rest and awake on each overlay, beside controller-runtime with the same job, and how soon a deleted Service is back, warm and by a
 * process that is started for it. `node test/bench/footprint/index.ts [ROUNDS] [SAMPLEDBS]` (20, 20), about a minute. Needs Go. What a
 * platform itself takes is measured on that platform (README.md).
 */
import { startCluster } from "../../support/cluster/index.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import { render } from "../../support/kustomize/render.ts";
import { figure, median } from "../figure.ts";
import { atRest } from "./at-rest.ts";
import { measureFunctions, measureManager } from "./measure.ts";
import type { Memory } from "./measure.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const [rounds = 20, count = 20] = process.argv.slice(2).map(Number);

const OVERLAYS = {
  kubernetes: ["overlays/kubernetes"],
  knative: ["overlays/knative"],
  "knative-own-tls": ["overlays/knative/own-tls"],
  openfaas: ["overlays/openfaas", "overlays/openfaas/functions"],
} as const;

const functions = await measureFunctions(rounds, count, say);
const manager = await measureManager(rounds, count, say);

const tell = (name: string, { restMb, peakMb }: Memory): void =>
  say(`${name}: ${restMb.toFixed(0)} MB at rest, at most ${peakMb.toFixed(0)}`);
for (const [name, memory] of functions.memory) tell(name, memory);
for (const [name, memory] of manager.memory) tell(`controller-runtime, ${name}`, memory);

const managerMb = [...manager.memory.values()].reduce((sum, { restMb }) => sum + restMb, 0);
await using cluster = await startCluster({ level: "api", auditLog: false });
for (const [overlay, paths] of Object.entries(OVERLAYS)) {
  const texts = await Promise.all(paths.map((path) => render(cluster.kubectl, path)));
  const { pods, memoryMi, cpuMillis, adapters } = atRest(texts.flatMap(objectsIn));
  const mb = [...pods].reduce(
    (sum, [name, replicas]) => sum + replicas * (functions.memory.get(name)?.restMb ?? 0),
    0,
  );
  const names = [...pods].map(([name, replicas]) => `${replicas} ${name}`).join(", ");
  say(
    `${overlay}: ${names === "" ? "no pod of ours" : names}; reserved ${memoryMi} Mi, ${cpuMillis}m; ${adapters} of the platform's for us`,
  );
  figure(
    `footprint-${overlay}-pods-at-rest`,
    [...pods.values()].reduce((sum, each) => sum + each, 0),
    overlay === "knative" ? "at-most-0" : "reported",
  );
  figure(`footprint-${overlay}-mb-at-rest-over-controller-runtime`, mb / managerMb, "reported");
}
figure("footprint-controller-runtime-mb-at-rest", managerMb, "reported");
figure("footprint-repair-warm-ms", median(functions.warmMs), "reported");
figure(
  "footprint-repair-warm-over-controller-runtime",
  median(functions.warmMs) / median(manager.warmMs),
  "reported",
);
figure("footprint-repair-from-zero-ms", median(functions.coldMs), "reported");
figure(
  "footprint-repair-from-zero-over-controller-runtime",
  median(functions.coldMs) / median(manager.coldMs),
  "reported",
);
