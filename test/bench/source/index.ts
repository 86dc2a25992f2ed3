/**
 * `source` as a pod's bundle on a real API server, with a sink that answers at once: memory, time from a change to its delivery, and what
 * one slow key does to others. Usage: node test/bench/source/index.ts [SAMPLEDBS] [SECONDS] [ROUNDS]
 */
import { readFile } from "node:fs/promises";
import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { startProgram } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { until } from "../../support/until.ts";
import { figure, median } from "../figure.ts";
import { bareWatch } from "./bare-watch.ts";
import { changes } from "./changes.ts";
import type { Changes } from "./changes.ts";
import { nameOf } from "./objects.ts";
import { startScene } from "./scene.ts";
import { startSink } from "./sink.ts";
import type { Sink } from "./sink.ts";

const NAMESPACE = "shop";
const PER_SECOND = 200;
const SLOW_MS = 5000;
/** Each of these has two connections. */
const CLIENTS = 8;
const [count = 10_000, seconds = 20, rounds = 5] = process.argv.slice(2).map(Number);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Megabytes: now and the most ever. */
const memoryOf = async ({ pid }: FunctionProcess): Promise<{ now: number; most: number }> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const mb = (field: string): number =>
    Number(new RegExp(`${field}:\\s+(\\d+) kB`, "u").exec(status)?.[1]) / 1024;
  return { now: mb("VmRSS"), most: mb("VmHWM") };
};

type Latency = { readonly fromAnswer: number; readonly afterBare: number; readonly bare: number };

/** The p99 of a round, in milliseconds: from the API server's answer, and from the moment when the bare watch had it. */
const round = async (change: Changes, names: readonly string[]): Promise<Latency> => {
  const all = await change.run(names, seconds, PER_SECOND);
  const since = (from: (times: (typeof all)[number]) => number, to: "delivered" | "seen"): number =>
    percentile(
      // What came before its answer took no time.
      all.map((times) => Math.max(0, (times[to] ?? 0) - from(times))),
      0.99,
    );
  return {
    fromAnswer: since(({ answered = 0 }) => answered, "delivered"),
    bare: since(({ answered = 0 }) => answered, "seen"),
    afterBare: since(({ seen = 0 }) => seen, "delivered"),
  };
};

const measure = async (change: Changes, sink: Sink): Promise<void> => {
  const slow = nameOf(0);
  const names = Array.from({ length: Math.min(count - 1, 5000) }, (_, i) => nameOf(i + 1));
  const quick: Latency[] = [];
  const beside: Latency[] = [];
  // In use before it is measured.
  await round(change, names);
  const alone = async (): Promise<void> => {
    quick.push(await round(change, names));
  };
  const besideSlow = async (): Promise<void> => {
    sink.hold(new Set([slow]), SLOW_MS);
    // Its delivery is in flight all the while: before it ends something happens to it again.
    const [latency] = await Promise.all([round(change, names), change.run([slow], seconds, 1)]);
    beside.push(latency);
    sink.hold(new Set(), 0);
  };
  for (let i = 0; i < rounds; i += 1) {
    for (const side of i % 2 === 0 ? [alone, besideSlow] : [besideSlow, alone]) await side();
    say(`round ${i + 1}: ${JSON.stringify({ alone: quick.at(-1), besideSlow: beside.at(-1) })}`);
  }
  const of = (side: readonly Latency[], what: keyof Latency): number =>
    median(side.map((latency) => latency[what]));
  figure("source-event-to-delivered-p99-ms", of(quick, "fromAnswer"), "at-most-50");
  figure("source-bare-watch-p99-ms", of(quick, "bare"), "the-other-side");
  figure("source-after-bare-watch-p99-ms", of(quick, "afterBare"), "at-most-50");
  const ratios = quick.map(({ fromAnswer }, i) => (beside[i]?.fromAnswer ?? Number.NaN) / fromAnswer);
  figure("source-p99-beside-slow-key-ratio", median(ratios), "at-most-1.2");
};

await using scene = await startScene(count, say);
const found = new Set<string>();
const apis = Array.from({ length: CLIENTS }, () => apiServer(readAccess({ KUBECONFIG: scene.kubeconfig })));
const [first] = apis;
if (first === undefined) throw new Error("there is no client");
const change = changes(apis, NAMESPACE);
await using sink = await startSink((name) => {
  found.add(name);
  change.delivered(name);
});
await using source = startProgram(scene.program, { ...scene.env, SINK: sink.url });
const started = performance.now();
const url = await source.url();
await until("every key", () => found.size === count, 600_000);
await until("readiness", async () => (await fetch(`${url}/readyz`)).status === 200, 600_000);
say(`every key was sent ${Math.round(performance.now() - started)} ms after the start`);
const afterStart = await memoryOf(source);
say(`memory after the start: ${JSON.stringify(afterStart)}`);
{
  await using _ = await bareWatch(first, NAMESPACE, change.seen);
  await measure(change, sink);
}
const { now, most } = await memoryOf(source);
figure("source-rss-mb", now, "at-most-100");
figure("source-most-rss-mb", most, "at-most-100");
for (const api of apis) api.close();
