/**
 * One sweep of `resync once` over SampleDBs that are as they should be: to `reconcile`, and in turn to a sink that takes every key at once,
 * which is what the sweep itself costs. Real API server and processes; a player stands in for node and provisioner.
 * Usage: node test/bench/resync/index.ts [COUNT] [ROUNDS]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bundle } from "../../support/build/bundle.ts";
import { freePort } from "../../support/cluster/free-port.ts";
import { startCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { fakeApiServer } from "../../support/fake-api-server.ts";
import { apiOf } from "../events/api.ts";
import { AuditTally } from "../events/audit-tally.ts";
import { Convergence } from "../events/convergence.ts";
import { create, makeNamespace, namesOf } from "../events/load.ts";
import { programs } from "../events/programs.ts";
import { functionsSide, start } from "../events/side.ts";
import { figure, median } from "../figure.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const peakOf = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/u.exec(status)?.[1] ?? 0) / 1024;
};

type Sweep = { readonly seconds: number; readonly megabytes: number };

/** From the start of the process to its end; memory is looked at while it runs. */
const sweep = async (program: string, env: Readonly<Record<string, string>>): Promise<Sweep> => {
  const started = performance.now();
  const child = spawn(process.execPath, [program, "once"], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let megabytes = 0;
  const looking = setInterval(() => {
    try {
      megabytes = Math.max(megabytes, peakOf(child.pid ?? 0));
    } catch {
      // It has just ended.
    }
  }, 50);
  const [code] = await once(child, "exit");
  clearInterval(looking);
  if (code !== 0) throw new Error(`resync ended with ${String(code)}`);
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

/** `reconcile` alone, on SampleDBs that are converged: nobody else sends it events. */
const startReconcile = async (program: string, kubeconfig: string) => {
  const port = String(await freePort());
  const { child, end } = start([process.execPath, program], { KUBECONFIG: kubeconfig, PORT: port });
  const url = `http://127.0.0.1:${port}`;
  const isReady = async (): Promise<true | undefined> => (await fetch(`${url}/readyz`)).ok || undefined;
  await waitUntil(isReady, { what: "reconcile", timeoutMs: 60_000 });
  return { url, end, megabytes: () => peakOf(child.pid ?? 0) };
};

const count = Number(process.argv[2] ?? 1000);
const rounds = Number(process.argv[3] ?? 3);
const made = await programs(say);
const resync = (await bundle("resync", join(made.source, ".."))).file;
await using cluster = await startCluster({ level: "api" });
const KUBECONFIG = cluster.kubeconfig;
await installCrds(cluster.kubectl);
const api = await apiOf(KUBECONFIG);
const player = start([made.player], { KUBECONFIG, POD_START: "100ms" });
await makeNamespace(api);
const names = namesOf(count);
const tally = new AuditTally(cluster.auditLogFile, "sampledb");
{
  await using _ = await functionsSide(KUBECONFIG, made);
  using convergence = new Convergence(api);
  await create(api, names);
  await convergence.allReady(names, 1);
  await untilQuiet(tally);
}
say(`${count} SampleDBs are Ready and nothing is written any more`);

const reconcile = await startReconcile(made.reconcile, KUBECONFIG);
await using nobody = await fakeApiServer(() => ({ status: 204 }));
const [visits, alone]: [Sweep[], Sweep[]] = [[], []];
const before = await tally.count();
for (let round = 1; round <= rounds; round += 1) {
  const visit = await sweep(resync, { KUBECONFIG, SINK: reconcile.url });
  const none = await sweep(resync, { KUBECONFIG, SINK: nobody.url });
  say(`round ${round}: ${visit.seconds.toFixed(1)} s, to nobody ${none.seconds.toFixed(1)} s`);
  visits.push(visit);
  alone.push(none);
}
const after = await tally.count();
const reconcileMegabytes = reconcile.megabytes();
await reconcile.end();
await player.end();
api.close();

const passes = after.observations - before.observations;
figure("resync-1000-seconds", (median(visits.map(({ seconds }) => seconds)) / count) * 1000, "at-most-60");
figure("resync-1000-alone-seconds", (median(alone.map(({ seconds }) => seconds)) / count) * 1000, "reported");
figure(
  "resync-megabytes",
  Math.max(...[...visits, ...alone].map(({ megabytes }) => megabytes)),
  "at-most-100",
);
figure("resync-reconcile-megabytes", reconcileMegabytes, "at-most-110");
figure("resync-passes-a-key", passes / (count * rounds), "1");
figure("resync-reads-a-pass", (after.reads - before.reads) / passes, "at-most-12");
figure("resync-writes", after.writes - before.writes, "0");
