import { figure, median } from "../figure.ts";
import type { Scene } from "./scene.ts";
import { startServer } from "./server.ts";
import type { Side } from "./sides.ts";

/** Pepr waits up to three seconds by chance at each start. */
const ROUNDS_OF_PEPR = 3;

/** From the spawn of a webhook's process to its first verdict, side by side. */
export const coldStarts = async (
  { sides }: Scene,
  rounds: number,
  say: (line: string) => void,
): Promise<void> => {
  const took = new Map<Side["name"], number[]>();
  for (let round = 0; round < rounds; round += 1) {
    const turn = round % 2 === 0 ? sides : sides.toReversed();
    for (const { name, program } of turn) {
      if (program === undefined || (name === "pepr" && round >= ROUNDS_OF_PEPR)) continue;
      await using server = await startServer(program);
      took.set(name, [...(took.get(name) ?? []), server.coldMs]);
    }
  }
  const of = (name: Side["name"]): readonly number[] => took.get(name) ?? [];
  for (const [name, values] of took)
    say(`cold start, ${name}: ${median(values).toFixed(0)} ms, at best ${Math.min(...values).toFixed(0)}`);
  const ratios = of("ours").map((ms, round) => ms / (of("go")[round] ?? Number.NaN));
  figure("admission-cold-start-over-go", median(ratios), "at-most-1.6");
};
