import { figure, median } from "../figure.ts";
import { type Programs, programs } from "./programs.ts";
import { type Phase, type Run, runSide } from "./run-side.ts";
import { functionsSide, referenceSide } from "./side.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const PHASES = ["create", "edit", "repair"] as const;

const text = (count: number, phase: Phase): string => {
  const each = (value: number): string => (value / count).toFixed(1);
  const passes = phase.observations === 0 ? "" : `, ${each(phase.observations)} passes`;
  const ms = ((phase.cpuSeconds / count) * 1000).toFixed(1);
  return `${phase.seconds.toFixed(1)} s${passes}, ${each(phase.reads)} reads, ${each(phase.writes)} writes (Events: ${each(phase.events)}), ${ms} ms CPU`;
};

const tell = (title: string, count: number, run: Run): void => {
  say(`${title}, ${count} SampleDBs, each:`);
  for (const phase of PHASES) say(`  ${phase}: ${text(count, run[phase])}`);
  say(`  peak memory ${run.peakMegabytes.toFixed(0)} MB`);
  if (process.env["VERBOSE"] === undefined) return;
  for (const [kind, requests] of [...run.requests].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    say(`    ${(requests / count).toFixed(2)} ${kind}`);
};

type Round = { readonly small: Run; readonly functions: Run; readonly reference: Run };

const round = async (made: Programs, count: number, smallCount: number): Promise<Round> => {
  const small = await runSide(functionsSide, made, smallCount);
  tell("functions", smallCount, small);
  const functions = await runSide(functionsSide, made, count);
  tell("functions", count, functions);
  const reference = await runSide(referenceSide, made, count);
  tell("reference", count, reference);
  return { small, functions, reference };
};

const total = (run: Run, of: "reads" | "writes" | "observations" | "cpuSeconds" | "seconds"): number =>
  PHASES.reduce((sum, phase) => sum + run[phase][of], 0);

const perObject = (run: Run, objects: number, what: "reads" | "writes" | "cpuSeconds"): number =>
  total(run, what) / objects;

const requests = (run: Run, objects: number): number =>
  perObject(run, objects, "reads") + perObject(run, objects, "writes");

const report = (rounds: readonly Round[], count: number, smallCount: number): void => {
  const of = (read: (round: Round) => number): number => median(rounds.map(read));
  for (const phase of PHASES) {
    const writes = of(({ functions, reference }) => functions[phase].writes / reference[phase].writes);
    figure(`${phase}-writes-over-reference`, writes, "at-most-1.0");
    const seconds = of(({ functions, reference }) => functions[phase].seconds / reference[phase].seconds);
    figure(`${phase}-time-over-reference`, seconds, "at-most-3");
  }
  figure(
    "passes-to-converge",
    of(({ functions }) => functions.create.observations / count),
    "at-most-4",
  );
  figure(
    "reads-a-pass",
    of(({ functions }) => total(functions, "reads") / total(functions, "observations")),
    "at-most-12",
  );
  figure(
    "requests-growth",
    of(({ small, functions }) => requests(functions, count) / requests(small, smallCount)),
    "at-most-1.2",
  );
  figure(
    "cpu-growth",
    of(
      ({ small, functions }) =>
        perObject(functions, count, "cpuSeconds") / perObject(small, smallCount, "cpuSeconds"),
    ),
    "at-most-1.2",
  );
  figure(
    "cpu-ms-a-sampledb",
    of(({ functions }) => (total(functions, "cpuSeconds") / count) * 1000),
    "reported",
  );
  figure(
    "reference-cpu-ms-a-sampledb",
    of(({ reference }) => (total(reference, "cpuSeconds") / count) * 1000),
    "reported",
  );
  figure(
    "peak-megabytes",
    of(({ functions }) => functions.peakMegabytes),
    "reported",
  );
  figure(
    "reference-peak-megabytes",
    of(({ reference }) => reference.peakMegabytes),
    "reported",
  );
};

const count = Number(process.argv[2] ?? 1000);
const rounds = Number(process.argv[3] ?? 1);
const smallCount = Math.max(1, Math.floor(count / 10));
const made = await programs(say);
const done: Round[] = [];
for (let number = 1; number <= rounds; number += 1) done.push(await round(made, count, smallCount));
report(done, count, smallCount);
