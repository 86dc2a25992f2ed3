/**
 * `source` with many SampleDBs on a real API server: its start, an API server that forgot everything, and a sink that was away.
 * Usage: node test/long/source.ts [SAMPLEDBS]
 */
import assert from "node:assert/strict";
import { compact } from "../cluster/source/compact.ts";
import { metricOf, openScene, ready } from "../cluster/source/scene.ts";
import { installCrds } from "../support/deploy/install-crds.ts";
import { until } from "../support/until.ts";

const LONG_MS = 1_800_000;
const count = Number(process.argv[2] ?? 10_000);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

await using scene = await openScene();
const { sink, path, cluster } = scene;
await installCrds(cluster.kubectl);
await scene.createMany(count);
say(`${count} SampleDBs are there`);

const source = scene.start();
let began = performance.now();
const seconds = (): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const memory = async (): Promise<string> =>
  `${Math.round((await metricOf(source, "process_resident_memory_bytes")) / 1024 / 1024)} MB`;
const isEmpty = async (): Promise<boolean> => (await metricOf(source, "sampledb_waiting_keys")) === 0;
/** Waits until each was sent, and nothing waits. */
const allSent = async (): Promise<void> => {
  await until("every key", () => new Set(sink.names()).size === count, LONG_MS);
  await until("an empty queue", isEmpty, LONG_MS);
};

await ready(source);
await allSent();
assert.equal(sink.names().length, count);
say(`start: each of ${count} was sent once, ${seconds()}, ${await memory()}`);

path.close();
sink.forget();
// One change moves every kind's version on; the new API server remembers nothing before its start.
await scene.createSampleDB("last");
await scene.createChild("last");
await scene.remove("SampleDB", "last");
await compact(cluster.etcd);
await cluster.stopComponent("kube-apiserver");
await cluster.startComponent("kube-apiserver");
began = performance.now();
path.open();
await until("every key", () => count <= new Set(sink.names()).size, LONG_MS);
await ready(source);
assert.ok(sink.names().includes("last"), "what was deleted unseen is sent too");
say(`after 410 Gone: each was sent again (${sink.names().length} events), ${seconds()}, ${await memory()}`);

sink.forget();
await sink.down();
await scene.touchMany(count);
await until(
  "every key to wait",
  async () => (await metricOf(source, "sampledb_waiting_keys")) >= count,
  LONG_MS,
);
const tries = source.logs.filter(({ outcome }) => outcome === "again").length;
say(`sink away: ${count} keys wait, ${tries} deliveries were tried, ${await memory()}`);
began = performance.now();
await sink.up();
await allSent();
say(`sink back: each was sent (${sink.names().length} events), ${seconds()}, ${await memory()}`);
