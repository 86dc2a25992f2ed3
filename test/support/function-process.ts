import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { dieWithOwner } from "./die-with-owner.ts";
import { until } from "./until.ts";

export type FunctionProcess = AsyncDisposable & {
  /** What it logged so far, one object a line. */
  readonly logs: readonly Readonly<Record<string, unknown>>[];
  readonly stderr: () => string;
  /** Address that it listens on. Waits until it does. */
  readonly url: () => Promise<string>;
  readonly pid: number | undefined;
  readonly kill: (signal: "SIGTERM" | "SIGKILL") => void;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
};

const ROOT = new URL("../../", import.meta.url);

/** Starts `node <program>`, a path in this repository or an absolute one, as `startFunction` does. */
export const startProgram = (
  program: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): FunctionProcess => {
  const [command, ...rest] = dieWithOwner([process.execPath, program, ...args]);
  const child = spawn(command, rest, {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const logs: Readonly<Record<string, unknown>>[] = [];
  let stderr = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    const entry: Readonly<Record<string, unknown>> = JSON.parse(line);
    logs.push(entry);
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += String(text);
  });
  // Not at its exit, when its last lines may still be in the pipe.
  const closed = once(child, "close");
  const ended = closed.then(([code, signal]) => (typeof code === "number" ? code : String(signal)));
  return {
    logs,
    stderr: () => stderr,
    url: async () => {
      const entry = await until(`${program} to listen; ${stderr}`, () =>
        logs.find(({ message }) => message === "listening"),
      );
      return `http://127.0.0.1:${String(entry["port"])}`;
    },
    pid: child.pid,
    kill: (signal) => {
      child.kill(signal);
    },
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};

/** Starts `node functions/<name>/index.ts` on any free port, with `env` and little else in its environment. */
export const startFunction = (
  name: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): FunctionProcess => startProgram(`functions/${name}/index.ts`, env, args);
