import { once } from "node:events";
import { request } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { startCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { imagineNode } from "../../support/imagined-node.ts";
import { makeReview } from "../../support/make-review.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { plainApi } from "../../support/plain-api.ts";
import { Convergence } from "../events/convergence.ts";
import { AT_ONCE, NAMESPACE, create, makeNamespace, namesOf } from "../events/load.ts";
import { peakMbOf, residentMbOf } from "../processes.ts";
import { preparePrograms } from "./programs.ts";
import type { Programs, Running } from "./programs.ts";
import { Repairs } from "./repairs.ts";

/** MB of a process: once nothing happens any more, and at its most. */
export type Memory = { readonly restMb: number; readonly peakMb: number };

/** What was seen of one side. */
export type Measured = {
  readonly memory: ReadonlyMap<string, Memory>;
  /** Milliseconds until a deleted Service was back. */
  readonly warmMs: readonly number[];
  /** The same where a process was started at the deletion. */
  readonly coldMs: readonly number[];
};

const POD_START_MS = 500;
const QUIET_MS = 500;
const REVIEWS = 500;

type Place = {
  readonly programs: Programs;
  readonly repairs: Repairs;
  readonly names: readonly string[];
  /** Creates the SampleDBs and waits until they are Ready. */
  readonly fill: () => Promise<void>;
};

/** An API server with an imagined node, for one side. */
const onCluster = async (
  count: number,
  say: (line: string) => void,
  work: (place: Place) => Promise<Measured>,
): Promise<Measured> => {
  await using cluster = await startCluster({ level: "api", auditLog: false });
  await installCrds(cluster.kubectl);
  const api = await plainApi(cluster.kubeconfig, AT_ONCE);
  try {
    await makeNamespace(api);
    using _ = await imagineNode(api, NAMESPACE, POD_START_MS);
    using programs = await preparePrograms(cluster, say);
    using convergence = new Convergence(api);
    using repairs = new Repairs(api);
    const names = namesOf(count);
    const fill = async (): Promise<void> => {
      await create(api, names);
      await convergence.allReady(names, 1);
    };
    return await work({ programs, repairs, names, fill });
  } finally {
    api.close();
  }
};

/** A name of the line for each of so many rounds. */
const turns = ({ names }: Place, rounds: number): readonly string[] =>
  Array.from({ length: rounds }, (_, round) => names[round % names.length] ?? "");

const warm = async (place: Place, rounds: number): Promise<readonly number[]> => {
  const took: number[] = [];
  for (const name of turns(place, rounds)) {
    took.push(await place.repairs.repair(name));
    // Until what the repair itself made to happen is over.
    await wait(QUIET_MS);
  }
  return took;
};

const cold = async (
  place: Place,
  rounds: number,
  start: (name: string) => Promise<Running>,
): Promise<readonly number[]> => {
  const took: number[] = [];
  for (const name of turns(place, rounds)) {
    const { promise, resolve } = Promise.withResolvers<Running>();
    took.push(await place.repairs.repair(name, () => start(name).then(resolve)));
    await (await promise).end();
  }
  return took;
};

const memoryOf = ({ pid }: Running): Memory => ({ restMb: residentMbOf(pid), peakMb: peakMbOf(pid) });

const review = async (port: number, path: string): Promise<void> => {
  const body = JSON.stringify(makeReview(makeSampleDB()));
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  // Whose certificate it is does not matter here.
  const call = request({ host: "localhost", port, path, method: "POST", headers, rejectUnauthorized: false });
  call.end(body);
  const [response] = await once(call, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
};

const afterReviews = async (server: Running, path: string): Promise<Memory> => {
  for (let count = 0; count < REVIEWS; count += 1) await review(server.port, path);
  const memory = memoryOf(server);
  await server.end();
  return memory;
};

/** As Knative's source tells of a deleted child, to a function that was not there before. */
const tell = async (port: number, name: string): Promise<void> => {
  const response = await fetch(`http://localhost:${port}/`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "ce-specversion": "1.0",
      "ce-id": name,
      "ce-type": "dev.knative.apiserver.ref.update",
      "ce-source": "https://10.96.0.1:443",
      "ce-subject": `/apis/sampledb.dev/v1/namespaces/${NAMESPACE}/sampledbs/${name}`,
    },
    body: JSON.stringify({ kind: "SampleDB", namespace: NAMESPACE, name, apiVersion: "sampledb.dev/v1" }),
  });
  if (response.status !== 204) throw new Error(`reconcile answered ${response.status}`);
};

/** `source` and `reconcile`, and `admission` for itself. */
export const measureFunctions = (
  rounds: number,
  count: number,
  say: (line: string) => void,
): Promise<Measured> =>
  onCluster(count, say, async (place) => {
    const { start } = place.programs;
    const admission = await afterReviews(await start("admission"), "/mutate?timeout=10s");
    const reconcile = await start("reconcile");
    const source = await start("source", `http://localhost:${reconcile.port}`);
    await place.fill();
    const warmMs = await warm(place, rounds);
    const memory = new Map([
      ["admission", admission],
      ["reconcile", memoryOf(reconcile)],
      ["source", memoryOf(source)],
    ]);
    await source.end();
    await reconcile.end();
    const coldMs = await cold(place, rounds, async (name) => {
      const started = await start("reconcile");
      await tell(started.port, name);
      return started;
    });
    return { memory, warmMs, coldMs };
  });

/** The same by controller-runtime: one manager for the children, one for admission. */
export const measureManager = (
  rounds: number,
  count: number,
  say: (line: string) => void,
): Promise<Measured> =>
  onCluster(count, say, async (place) => {
    const { startManager, startWebhook } = place.programs;
    const webhook = await afterReviews(await startWebhook(), "/mutate-sampledb-dev-v1-sampledb?timeout=10s");
    const manager = await startManager();
    await place.fill();
    const warmMs = await warm(place, rounds);
    const memory = new Map([
      ["webhook", webhook],
      ["manager", memoryOf(manager)],
    ]);
    await manager.end();
    const coldMs = await cold(place, rounds, startManager);
    return { memory, warmMs, coldMs };
  });
