/**
 * One sweep of `resync once` over SampleDBs that are as they should be: to `reconcile`, and in turn to a sink that takes every key at once,
 * which is what the sweep itself costs. Real API server and processes; node and provisioner are imagined.
 * Usage: node test/bench/resync/index.ts [COUNT] [ROUNDS]
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { imageEnv } from "../../support/build/image-env.ts";
import { bundle } from "../../support/build/bundle.ts";
import { startCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { fakeApiServer } from "../../support/fake-api-server.ts";
import { startProgram } from "../../support/function-process.ts";
import { imagineNode } from "../../support/imagined-node.ts";
import { plainApi } from "../../support/plain-api.ts";
import { AuditTally } from "../../support/audit-tally.ts";
import { Convergence } from "../events/convergence.ts";
import { AT_ONCE, NAMESPACE, create, makeNamespace, namesOf } from "../events/load.ts";
import { figure, median } from "../figure.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const peakOf = (pid: number | undefined): number => {
  const status = readFileSync(`/proc/${pid ?? 0}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
};

type Sweep = { readonly seconds: number; readonly megabytes: number };

/** From the start of the process to its end; its memory is looked at while it runs. */
const sweep = async (program: string, env: Readonly<Record<string, string>>): Promise<Sweep> => {
  const started = performance.now();
  await using resync = startProgram(program, env, ["once"]);
  let megabytes = 0;
  const looking = setInterval(() => {
    try {
      megabytes = Math.max(megabytes, peakOf(resync.pid));
    } catch {
      // It has just ended.
    }
  }, 20);
  const code = await resync.ended;
  clearInterval(looking);
  if (code !== 0) throw new Error(`resync ended with ${code}: ${JSON.stringify(resync.logs.at(-1))}`);
  return { seconds: (performance.now() - started) / 1000, megabytes };
};

const untilQuiet = async (tally: AuditTally): ReturnType<AuditTally["count"]> => {
  let before = await tally.count();
  for (;;) {
    // Quiet is an absence: it has no condition to wait on but time.
    await wait(3000);
    const after = await tally.count();
    if (after.reads === before.reads && after.writes === before.writes) return after;
    before = after;
  }
};

const count = Number(process.argv[2] ?? 1000);
const rounds = Number(process.argv[3] ?? 3);
const folder = await mkdtemp(join(tmpdir(), "sampledb-bench-"));
const [source, reconcile, resync] = await Promise.all(
  ["source", "reconcile", "resync"].map(async (name) => (await bundle(name, folder)).file),
);
if (source === undefined || reconcile === undefined || resync === undefined) throw new Error("no bundles");

await using cluster = await startCluster({ level: "api" });
const KUBECONFIG = cluster.kubeconfig;
await installCrds(cluster.kubectl);
const api = await plainApi(KUBECONFIG, AT_ONCE);
const tally = new AuditTally(cluster.auditLogFile, "sampledb");
await makeNamespace(api);
using _ = await imagineNode(api, NAMESPACE, 100);
const image = await imageEnv();
await using reconciling = startProgram(reconcile, { ...image, KUBECONFIG });
const SINK = await reconciling.url();
{
  await using watching = startProgram(source, { ...image, KUBECONFIG, SINK });
  await watching.url();
  using convergence = new Convergence(api);
  const names = namesOf(count);
  await create(api, names);
  await convergence.allReady(names, 1);
  await untilQuiet(tally);
}
say(`${count} SampleDBs are Ready and nothing is written any more`);

await using nobody = await fakeApiServer(() => ({ status: 204 }));
const [visits, alone]: [Sweep[], Sweep[]] = [[], []];
const before = await tally.count();
for (let round = 1; round <= rounds; round += 1) {
  const visit = await sweep(resync, { ...image, KUBECONFIG, SINK });
  const none = await sweep(resync, { ...image, KUBECONFIG, SINK: nobody.url });
  say(`round ${round}: ${visit.seconds.toFixed(1)} s, to nobody ${none.seconds.toFixed(1)} s`);
  visits.push(visit);
  alone.push(none);
}
const after = await tally.count();
api.close();
await rm(folder, { recursive: true });

const passes = after.observations - before.observations;
const per1000 = (sweeps: readonly Sweep[]): number =>
  (median(sweeps.map(({ seconds }) => seconds)) / count) * 1000;
figure("resync-1000-seconds", per1000(visits), "at-most-60");
figure("resync-1000-to-nobody-seconds", per1000(alone), "reported");
figure(
  "resync-megabytes",
  Math.max(...[...visits, ...alone].map(({ megabytes }) => megabytes)),
  "at-most-100",
);
figure("resync-reconcile-megabytes", peakOf(reconciling.pid), "reported");
figure("resync-passes-a-key", passes / (count * rounds), "1");
figure("resync-reads-a-pass", (after.reads - before.reads) / passes, "at-most-12");
figure("resync-writes", after.writes - before.writes, "0");
