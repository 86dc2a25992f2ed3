/**
 * `node test/long/delivery.ts [FIRST] [COUNT]`: seeds FIRST to FIRST+COUNT-1 of the delivery simulator (1 and 500 without arguments; COUNT is
 * 1 where only FIRST is given, which replays a seed and prints its trace). One line a failing seed, then `N passed, N failed`.
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Arena, type SerialEnds } from "../support/delivery/arena.ts";
import { replayOf, runSeeds, type SeedResult } from "../support/delivery/run-seeds.ts";

/** Side by side: while one waits for a controller the others use the processor. */
const AT_ONCE = 3;
/** Seeds on one API server: what they leave behind makes every list longer. */
const PER_ARENA = 100;

const usage = "Usage: node test/long/delivery.ts [FIRST] [COUNT]\n";

const wholeFrom = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : /^\d+$/u.test(text) ? Number(text) : Number.NaN;

const [first, count] = process.argv.slice(2);
const from = wholeFrom(first, 1);
const many = wholeFrom(count, first === undefined ? 500 : 1);

/** The trace of a failed seed lies beside other temporary files. */
const traceFile = (seed: number): string => join(tmpdir(), `sampledb-delivery-${seed}.log`);

const textOf = (seed: number, { broken, trace }: SeedResult): string =>
  [`seed ${seed}`, ...broken, "", ...trace, ""].join("\n");

const counts = { passed: 0, failed: 0 };
const traces: Promise<void>[] = [];

const tell = (seed: number, result: SeedResult): void => {
  if (many === 1) process.stdout.write(textOf(seed, result));
  counts[result.broken.length === 0 ? "passed" : "failed"] += 1;
  if (result.broken.length === 0) return;
  const why = (result.broken[0] ?? "").split("\n")[0];
  process.stdout.write(`seed ${seed} failed: ${why}; replay: ${replayOf(seed)}; trace: ${traceFile(seed)}\n`);
  traces.push(writeFile(traceFile(seed), textOf(seed, result)));
};

if (Number.isNaN(from) || Number.isNaN(many)) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const seeds = Array.from({ length: many }, (_, index) => from + index);
  const ends: SerialEnds = new Map();
  for (let start = 0; start < seeds.length; start += PER_ARENA) {
    const arena = await Arena.start(Math.min(AT_ONCE, many), ends);
    try {
      await runSeeds(arena, seeds.slice(start, start + PER_ARENA), { atOnce: Math.min(AT_ONCE, many), tell });
    } finally {
      await arena.stop();
    }
  }
  await Promise.all(traces);
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}
