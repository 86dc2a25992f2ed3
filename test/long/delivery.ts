/**
 * `node test/long/delivery.ts [FIRST] [COUNT] [--profile NAME]`: seeds FIRST to FIRST+COUNT-1 of the delivery simulator (1 and 500 without arguments;
 * COUNT is 1 where only FIRST is given, which replays a seed and prints its trace), delivered as NAME says: `any` (where none is given), `direct`,
 * `broker`, `broker-dead-letter`, `openfaas`, `openfaas-async`. One line a failing seed, then `N passed, N failed`.
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Arena, type SerialEnds } from "../support/delivery/arena.ts";
import { PROFILES, type ProfileName } from "../support/delivery/profiles.ts";
import { replayOf, runSeeds, type SeedResult } from "../support/delivery/run-seeds.ts";

/** Side by side: while one waits for a controller the others use the processor. */
const AT_ONCE = 3;
/** Seeds on one API server: what they leave behind makes every list longer. */
const PER_ARENA = 100;

const usage = `Usage: node test/long/delivery.ts [FIRST] [COUNT] [--profile ${Object.keys(PROFILES).join("|")}]\n`;

const isProfile = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name);

const wholeFrom = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : /^\d+$/u.test(text) ? Number(text) : Number.NaN;

type Wanted = { readonly from: number; readonly many: number; readonly profile: ProfileName };

/** What the arguments ask for; undefined where they are no such thing. */
const wantedBy = (args: readonly string[]): Wanted | undefined => {
  try {
    const options = { profile: { type: "string", default: "any" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [first, count, ...rest] = positionals;
    const from = wholeFrom(first, 1);
    const many = wholeFrom(count, first === undefined ? 500 : 1);
    const { profile } = values;
    if (rest.length > 0 || Number.isNaN(from) || Number.isNaN(many) || !isProfile(profile)) return undefined;
    return { from, many, profile };
  } catch {
    return undefined;
  }
};

/** The trace of a failed seed lies beside other temporary files. */
const traceFile = (seed: number, profile: ProfileName): string =>
  join(tmpdir(), `sampledb-delivery-${profile}-${seed}.log`);

const textOf = (seed: number, { broken, trace }: SeedResult): string =>
  [`seed ${seed}`, ...broken, "", ...trace, ""].join("\n");

const run = async ({ from, many, profile }: Wanted): Promise<number> => {
  const counts = { passed: 0, failed: 0 };
  const traces: Promise<void>[] = [];
  const tell = (seed: number, result: SeedResult): void => {
    if (many === 1) process.stdout.write(textOf(seed, result));
    counts[result.broken.length === 0 ? "passed" : "failed"] += 1;
    if (result.broken.length === 0) return;
    const why = (result.broken[0] ?? "").split("\n")[0];
    const file = traceFile(seed, profile);
    process.stdout.write(`seed ${seed} failed: ${why}; replay: ${replayOf(seed, profile)}; trace: ${file}\n`);
    traces.push(writeFile(file, textOf(seed, result)));
  };
  const seeds = Array.from({ length: many }, (_, index) => from + index);
  const atOnce = Math.min(AT_ONCE, many);
  const ends: SerialEnds = new Map();
  for (let start = 0; start < seeds.length; start += PER_ARENA) {
    const arena = await Arena.start(atOnce, ends);
    try {
      await runSeeds(arena, seeds.slice(start, start + PER_ARENA), { profile, atOnce, tell });
    } finally {
      await arena.stop();
    }
  }
  await Promise.all(traces);
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  return counts.failed;
};

const wanted = wantedBy(process.argv.slice(2));
if (wanted === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  process.exitCode = (await run(wanted)) === 0 ? 0 : 1;
}
