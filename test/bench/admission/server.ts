import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { makeReview } from "../../support/make-review.ts";
import { dieWithOwner } from "../../support/die-with-owner.ts";
import { cpuSecondsOf, residentMbOf } from "../processes.ts";

/** How a webhook is started. */
export type Program = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Port on localhost. */
  readonly port: number;
  /** Where a creation is sent to be filled in. */
  readonly path: string;
  /** PEM of the CA of its certificate. */
  readonly ca: string;
};

/** A webhook that runs. */
export type Server = AsyncDisposable & {
  /** Milliseconds from its spawn to its first verdict. */
  readonly coldMs: number;
  /** Milliseconds of processor time so far, of all its processes. */
  readonly cpuMs: () => number;
  /** MB resident now, of all its processes. */
  readonly residentMb: () => number;
};

const REVIEW = JSON.stringify(
  makeReview({
    apiVersion: "sampledb.dev/v1",
    kind: "SampleDB",
    metadata: { name: "orders", namespace: "shop" },
    spec: {},
  }),
);

/** One review on a connection of its own. False where nothing listens yet, or nothing is served at the path yet. */
const isAllowed = async ({ port, path, ca }: Program): Promise<boolean> => {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(REVIEW) };
  const agent = new Agent();
  const call = request({ host: "localhost", port, path, method: "POST", ca, agent, headers });
  try {
    call.end(REVIEW);
    const [response] = await once(call, "response");
    const body = await text(response);
    if (response.statusCode === 404) return false;
    if (!body.includes('"allowed":true')) throw new Error(`${response.statusCode}: ${body}`);
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED") return false;
    throw cause;
  } finally {
    agent.destroy();
  }
};

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );

const family = (pid: number): readonly number[] => [pid, ...childrenOf(pid).flatMap(family)];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Starts a webhook and waits for its first verdict. */
export const startServer = async (program: Program): Promise<Server> => {
  const [command, ...args] = dieWithOwner(program.argv);
  const began = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"], ...program.env },
    // A log is a pipe where these run.
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-4000);
    });
  const ended = once(child, "exit");
  while (!(await isAllowed(program))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${program.argv.join(" ")} ended: ${said}`);
    await wait(1);
  }
  const coldMs = performance.now() - began;
  const { pid = 0 } = child;
  return {
    coldMs,
    cpuMs: () => sum(family(pid).map(cpuSecondsOf)) * 1000,
    residentMb: () => sum(family(pid).map(residentMbOf)),
    [Symbol.asyncDispose]: async () => {
      const pids = family(pid).slice(1);
      child.kill("SIGKILL");
      for (const each of pids) process.kill(each, "SIGKILL");
      await ended;
    },
  };
};
