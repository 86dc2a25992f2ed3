import { figure } from "../figure.ts";
import { WHOLE, create, relabel, timed } from "./creates.ts";
import { noSamples, percentiles, ratioOfMedians } from "./samples.ts";
import type { Samples } from "./samples.ts";
import type { Scene } from "./scene.ts";
import type { Side } from "./sides.ts";

const NAME = "relabelled";

const makeSubject = async ({ clients }: Scene, side: Side): Promise<void> => {
  const apiVersion = side.name === "none" ? "bare.example.com/v1" : "sampledb.dev/v1";
  await clients.one.call("POST", side.collection, {
    ...WHOLE,
    apiVersion,
    metadata: { ...Object(WHOLE["metadata"]), name: NAME, namespace: side.name },
  });
};

type Seen = { readonly create: Samples; readonly update: Samples };
type Taken = { readonly created: readonly number[]; readonly updated: readonly number[] };

const measured = async ({ clients }: Scene, side: Side, round: number, count: number): Promise<Taken> => ({
  created: await timed(count, 1, () => create(clients.one, side, WHOLE)),
  updated: await timed(count, 1, (index) => relabel(clients.one, side, NAME, round * count + index)),
});

const add = (seen: Seen | undefined, { created, updated }: Taken): void => {
  seen?.create.rounds.push(created);
  seen?.update.rounds.push(updated);
};

/** What passes by our webhooks, though they are installed, against the side without rules: complete creations, and updates beside the spec. */
export const skipped = async (
  scene: Scene,
  { rounds, creates }: { readonly rounds: number; readonly creates: number },
  say: (line: string) => void,
): Promise<void> => {
  const sides = scene.sides.filter(({ name }) => ["none", "cel", "ours"].includes(name));
  const seen = new Map(sides.map(({ name }) => [name, { create: noSamples(), update: noSamples() }]));
  for (const side of sides) await makeSubject(scene, side);
  for (let round = 0; round <= rounds; round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const taken = await measured(scene, side, round, creates);
      // The first round is not counted: its objects are the first of their kind.
      if (round > 0) add(seen.get(side.name), taken);
    }
  for (const [name, { create: creation, update }] of seen)
    say(`passing by, ${name}: create ${percentiles(creation)} ms, update ${percentiles(update)} ms`);
  const [ours, none] = [seen.get("ours"), seen.get("none")];
  if (ours === undefined || none === undefined) throw new Error("a side is missing");
  figure("admission-complete-create-over-none", ratioOfMedians(ours.create, none.create), "at-most-1.2");
  figure("admission-unchanged-update-over-none", ratioOfMedians(ours.update, none.update), "at-most-1.2");
};
