import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Count, countFrom } from "./count-from.ts";
import type { Run, Stage } from "./stages.ts";

const run = async (command: readonly string[]): Promise<number> => {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
};

const add = (a: Count, b: Count): Count => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** Runs tests and counts them. `report`: where the readable report goes, `stdout` or a file. */
const runTests = async ({ files, processes }: Run, tap: string, report: string): Promise<Count> => {
  const code = await run([
    process.execPath,
    "--test",
    processes === "one for all" ? "--test-isolation=none" : `--test-concurrency=${processes}`,
    "--test-reporter=spec",
    `--test-reporter-destination=${report}`,
    "--test-reporter=tap",
    `--test-reporter-destination=${tap}`,
    ...files,
  ]);
  const count = countFrom(await readFile(tap, "utf8").catch(() => ""));
  // A runner that failed without a failed test (a crash, no file found) must not pass for green.
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
};

/** Runs go on at the same time; what all but the first have to say comes after it, in one piece. */
const runAll = async (name: string, runs: readonly Run[], folder: string): Promise<Count> => {
  const reports = runs.map((_, index) => (index === 0 ? "stdout" : join(folder, `${name}-${index}.txt`)));
  const counts = await Promise.all(
    runs.map((each, index) =>
      runTests(each, join(folder, `${name}-${index}.tap`), reports[index] ?? "stdout"),
    ),
  );
  for (const report of reports.slice(1)) {
    process.stdout.write(await readFile(report, "utf8").catch(() => ""));
  }
  return counts.reduce(add);
};

const runStage = async (stage: Stage, folder: string): Promise<Count> => {
  if ("runs" in stage) return runAll(stage.name, stage.runs, folder);
  const passed = (await run(stage.command)) === 0;
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 };
};

/** Runs the stages, prints the closing line, and answers the exit code. In CI a skipped test counts as failed. */
export const runStages = async (
  stages: readonly Stage[],
  { isCI }: { readonly isCI: boolean },
): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), "sampledb-test-"));
  let total: Count = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const stage of stages) {
      const started = Date.now();
      process.stdout.write(`\n== ${stage.name}\n`);
      const count = await runStage(stage, folder);
      const seconds = Math.round((Date.now() - started) / 1000);
      process.stdout.write(
        `== ${stage.name}: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped, ${seconds} s\n`,
      );
      total = add(total, count);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (isCI && total.skipped > 0) {
    process.stdout.write(`\n${total.skipped} tests were skipped: with CI=true that is a failure.\n`);
    total = { ...total, failed: total.failed + total.skipped, skipped: 0 };
  }
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
};
