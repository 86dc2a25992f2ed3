import { freePort } from "../../support/cluster/free-port.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { imageEnv } from "../../support/build/image-env.ts";
import { cpuSecondsOf, peakMbOf, startProgram } from "../processes.ts";
import type { Started } from "../processes.ts";
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

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const sideOf = (name: Side["name"], agent: string, started: readonly Started[]): Side => {
  const pids = started.map(({ pid }) => pid);
  return {
    name,
    agent,
    cpuSeconds: () => sum(pids.map(cpuSecondsOf)),
    peakMegabytes: () => sum(pids.map(peakMbOf)),
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
    startProgram([process.execPath, bundle], {
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
  const started = startProgram([reference], env);
  await untilOk(`http://${address}/metrics`);
  return sideOf("reference", "reference", [started]);
};
