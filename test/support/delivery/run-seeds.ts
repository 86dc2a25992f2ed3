import type { Arena } from "./arena.ts";
import type { ProfileName } from "./profiles.ts";
import type { Result } from "./simulation-options.ts";

/** What came of a seed; `broken` holds the error where it did not come to an end. */
export type SeedResult = Pick<Result, "broken" | "trace" | "tally">;

const runOne = async (arena: Arena, seed: number, profile: ProfileName): Promise<SeedResult> => {
  try {
    return await arena.run(seed, profile);
  } catch (cause) {
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    return { broken: [text], trace: [], tally: new Map() };
  }
};

type Run = {
  readonly profile: ProfileName;
  readonly atOnce: number;
  readonly tell: (seed: number, result: SeedResult) => void;
};

/** Runs seeds, so many at once, and tells of each as it ends. */
export const runSeeds = async (
  arena: Arena,
  seeds: readonly number[],
  { profile, atOnce, tell }: Run,
): Promise<void> => {
  const line = seeds.values();
  const work = async (): Promise<void> => {
    for (const seed of line) tell(seed, await runOne(arena, seed, profile));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
};

/** How to see a seed again. */
export const replayOf = (seed: number, profile: ProfileName): string =>
  `node test/long/delivery.ts ${seed}${profile === "any" ? "" : ` --profile ${profile}`}`;
