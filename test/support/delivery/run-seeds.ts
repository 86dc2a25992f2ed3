import type { Arena } from "./arena.ts";
import type { Result } from "./simulation-options.ts";

/** What came of a seed; `broken` holds the error where it did not come to an end. */
export type SeedResult = Pick<Result, "broken" | "trace" | "tally">;

const runOne = async (arena: Arena, seed: number): Promise<SeedResult> => {
  try {
    return await arena.run(seed);
  } catch (cause) {
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    return { broken: [text], trace: [], tally: new Map() };
  }
};

/** Runs seeds, so many at once, and tells of each as it ends. */
export const runSeeds = async (
  arena: Arena,
  seeds: readonly number[],
  { atOnce, tell }: { readonly atOnce: number; readonly tell: (seed: number, result: SeedResult) => void },
): Promise<void> => {
  const line = seeds.values();
  const work = async (): Promise<void> => {
    for (const seed of line) tell(seed, await runOne(arena, seed));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

/** How to see a seed again. */
export const replayOf = (seed: number): string => `node test/long/delivery.ts ${seed}`;
