import { figure } from "../figure.ts";
import { SHORT, create, timed } from "./creates.ts";
import { installed } from "./installed.ts";
import type { Running } from "./installed.ts";
import { noSamples, percentiles, ratioOfMedians } from "./samples.ts";
import type { Samples } from "./samples.ts";
import { AT_ONCE } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { skipped } from "./skipped.ts";
import { meansSince, webhookCounts } from "./webhook-histogram.ts";

type Size = { readonly rounds: number; readonly creates: number };
type Seen = { readonly one: Samples; readonly many: Samples; readonly cpu: { ms: number; reviews: number } };

/** Creates are two reviews each. */
const REVIEWS = 2;

const round = async (
  { clients }: Scene,
  { side, server }: Running,
  { one, many, cpu }: Seen,
  creates: number,
): Promise<void> => {
  const before = server?.cpuMs() ?? 0;
  one.rounds.push(await timed(creates, 1, () => create(clients.one, side, SHORT)));
  many.rounds.push(await timed(2 * creates, AT_ONCE, () => create(clients.many, side, SHORT)));
  cpu.ms += (server?.cpuMs() ?? 0) - before;
  cpu.reviews += 3 * creates * REVIEWS;
};

const tell = (seen: ReadonlyMap<string, Seen>, say: (line: string) => void): void => {
  for (const [name, { one, many, cpu }] of seen)
    say(
      `${name}: create p50 / p95 / p99 ${percentiles(one)} ms, ${AT_ONCE} clients ${percentiles(many)} ms, CPU of a review ${(cpu.ms / cpu.reviews).toFixed(3)} ms`,
    );
};

const figures = (seen: ReadonlyMap<string, Seen>): void => {
  const [ours, go] = [seen.get("ours"), seen.get("go")];
  if (ours === undefined || go === undefined) throw new Error("a side is missing");
  figure("admission-create-p50-over-go", ratioOfMedians(ours.one, go.one), "at-most-1");
  figure("admission-create-16-clients-p50-over-go", ratioOfMedians(ours.many, go.many), "at-most-1");
  const perReview = ({ cpu }: Seen): number => cpu.ms / cpu.reviews;
  figure("admission-cpu-per-review-over-go", perReview(ours) / perReview(go), "at-most-1");
};

/** Every side under the same creates, in turns; then what passes by admission. */
export const loads = async (scene: Scene, size: Size, say: (line: string) => void): Promise<void> => {
  await using all = await installed(scene);
  const ours = all.running.find(({ side }) => side.name === "ours")?.server;
  const idle = all.running.map(
    ({ side, server }) => `${side.name} ${server?.residentMb().toFixed(0) ?? "-"}`,
  );
  figure("admission-rss-idle-mb", ours?.residentMb() ?? Number.NaN, "below-60");
  const seen = new Map(
    all.running.map(({ side }) => [
      side.name,
      { one: noSamples(), many: noSamples(), cpu: { ms: 0, reviews: 0 } },
    ]),
  );
  // Code that is not compiled yet, connections that are not there yet.
  for (const { side } of all.running)
    await timed(4 * size.creates, AT_ONCE, () => create(scene.clients.many, side, SHORT));
  const before = await webhookCounts(scene.cluster);
  for (let turn = 0; turn < size.rounds; turn += 1) {
    const first = turn % all.running.length;
    for (const each of [...all.running.slice(first), ...all.running.slice(0, first)]) {
      const into = seen.get(each.side.name);
      if (into !== undefined) await round(scene, each, into, size.creates);
    }
  }
  tell(seen, say);
  say(`as the API server sees them: ${meansSince(before, await webhookCounts(scene.cluster))}`);
  figures(seen);
  const loaded = all.running.map(
    ({ side, server }) => `${side.name} ${server?.residentMb().toFixed(0) ?? "-"}`,
  );
  say(`MB resident, idle: ${idle.join(", ")}; after load: ${loaded.join(", ")}`);
  figure("admission-rss-loaded-mb", ours?.residentMb() ?? Number.NaN, "below-90");
  await skipped(scene, size, say);
};
