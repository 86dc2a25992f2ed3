import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dieWithOwner } from "../support/die-with-owner.ts";

/** A program that was started. */
export type Started = { readonly pid: number; readonly end: () => Promise<void> };

/** How much of what a program last said is told when it ends by itself. */
const LAST_WORDS = 2000;

/** Starts a program that ends with this one. What it says is told only where it ends unasked. */
export const startProgram = (argv: readonly string[], env: Readonly<Record<string, string>>): Started => {
  const [program, ...args] = dieWithOwner(argv);
  const child = spawn(program, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-LAST_WORDS);
  });
  const ended = once(child, "exit");
  void ended.then(([code]) => code !== null && process.stderr.write(`${program} ended (${code}): ${said}\n`));
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};

/** Clock ticks a second, which Linux promises to programs. */
const TICKS = 100;

/** Processor time that a process has spent so far, in seconds. */
export const cpuSecondsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};

const statusOf = (pid: number, field: "VmHWM" | "VmRSS"): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, "mu").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) /
  1024;

/** MB of a process that are resident now. */
export const residentMbOf = (pid: number): number => statusOf(pid, "VmRSS");

/** The most MB of a process that were resident at once. */
export const peakMbOf = (pid: number): number => statusOf(pid, "VmHWM");
