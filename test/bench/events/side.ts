import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { freePort } from "../../support/cluster/free-port.ts";
import { dieWithOwner } from "../../support/die-with-owner.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { imageEnv } from "../../support/build/image-env.ts";
import type { Programs } from "./programs.ts";

/** Processes that bring SampleDBs about. */
export type Side = AsyncDisposable & {
  readonly name: "functions" | "reference";
  /** Their `User-Agent` at the API server. */
  readonly agent: string;
  /** CPU time spent so far, of all processes together, in seconds. */
  readonly cpuSeconds: () => number;
  /** The most memory that they took, summed over processes, in MB. */
  readonly peakMegabytes: () => number;
};

type Started = { readonly child: ChildProcess; readonly end: () => Promise<void> };

/** Starts a program whose output nobody reads. */
const start = (argv: readonly string[], env: Readonly<Record<string, string>>): Started => {
  const [program, ...args] = dieWithOwner(argv);
  const child = spawn(program, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  return {
    child,
    end: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};

const statusOf = (pid: number, file: "stat" | "status"): string =>
  readFileSync(`/proc/${pid}/${file}`, "utf8");

/** Clock ticks a second, which Linux promises to programs. */
const TICKS = 100;

const cpuOf = (pid: number): number => {
  const [, rest = ""] = statusOf(pid, "stat").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};

const peakOf = (pid: number): number => Number(/VmHWM:\s+(\d+)/u.exec(statusOf(pid, "status"))?.[1]) / 1024;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const sideOf = (name: Side["name"], agent: string, started: readonly Started[]): Side => {
  const pids = started.map(({ child }) => child.pid ?? 0);
  return {
    name,
    agent,
    cpuSeconds: () => sum(pids.map(cpuOf)),
    peakMegabytes: () => sum(pids.map(peakOf)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(started.map(({ end }) => end()));
    },
  };
};

const untilOk = (url: string): Promise<true> =>
  waitUntil<true>(
    async () => {
      const { ok } = await fetch(url);
      return ok || undefined;
    },
    { what: url, timeoutMs: 60_000 },
  );

/** `source` and `reconcile` as they are deployed: one process each, their bundles. */
export const functionsSide = async (kubeconfig: string, made: Programs): Promise<Side> => {
  const [reconcilePort, sourcePort] = [String(await freePort()), String(await freePort())];
  const sink = `http://127.0.0.1:${reconcilePort}`;
  const environment = await imageEnv();
  const served = (bundle: string, port: string): Started =>
    start([process.execPath, bundle], {
      ...environment,
      KUBECONFIG: kubeconfig,
      PORT: port,
      SINK: sink,
    });
  const reconcile = served(made.reconcile, reconcilePort);
  await untilOk(`${sink}/readyz`);
  const source = served(made.source, sourcePort);
  await untilOk(`http://127.0.0.1:${sourcePort}/readyz`);
  return sideOf("functions", "sampledb", [reconcile, source]);
};

/** Passes at once, as many as `reconcile` makes. */
const WORKERS = "4";

export const referenceSide = async (kubeconfig: string, { reference }: Programs): Promise<Side> => {
  const address = `127.0.0.1:${await freePort()}`;
  const env = { KUBECONFIG: kubeconfig, METRICS_ADDRESS: address, WORKERS };
  const started = start([reference], env);
  await untilOk(`http://${address}/metrics`);
  return sideOf("reference", "reference", [started]);
};
