import { setTimeout as wait } from "node:timers/promises";
import { AuditTally } from "../../support/audit-tally.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { type FunctionProcess, startFunction } from "../../support/function-process.ts";
import { clusterWithCrd } from "./world.ts";

/** What happened so far: events that `source` sent, and what all functions asked of the API server, watches apart. */
export type Costs = {
  readonly events: number;
  readonly passes: number;
  readonly reads: number;
  readonly writes: number;
};

const COSTS = ["events", "passes", "reads", "writes"] as const;

/** What came in between two moments. */
export const since = (before: Costs, after: Costs): Costs => {
  const between = COSTS.map((cost) => [cost, after[cost] - before[cost]] as const);
  return { events: 0, passes: 0, reads: 0, writes: 0, ...Object.fromEntries(between) };
};

/** The sum of a metric over its labels. */
const metric = async (url: string, name: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
};

/** An API server without a node, `source` and `reconcile` on it. */
export class QuietScene {
  readonly cluster: LocalCluster;
  readonly reconcile: FunctionProcess;
  /** Address of `reconcile`. */
  readonly url: string;
  readonly #source: FunctionProcess;
  readonly #tally: AuditTally;

  private constructor(cluster: LocalCluster, reconcile: FunctionProcess, url: string) {
    this.cluster = cluster;
    this.reconcile = reconcile;
    this.url = url;
    this.#source = startFunction("source", { KUBECONFIG: cluster.kubeconfig, SINK: url });
    this.#tally = new AuditTally(cluster.auditLogFile, "sampledb");
  }

  static async start(): Promise<QuietScene> {
    const cluster = await clusterWithCrd();
    try {
      const reconcile = startFunction("reconcile", { KUBECONFIG: cluster.kubeconfig });
      return new QuietScene(cluster, reconcile, await reconcile.url());
    } catch (cause) {
      await cluster.stop();
      throw cause;
    }
  }

  async stop(): Promise<void> {
    await this.#source[Symbol.asyncDispose]();
    await this.reconcile[Symbol.asyncDispose]();
    await this.cluster.stop();
  }

  async costs(): Promise<Costs> {
    const { observations, reads, writes } = await this.#tally.count();
    const events = await metric(await this.#source.url(), "sampledb_sent_events_total");
    return { events, passes: observations, reads, writes };
  }

  /** Events that arrived at `reconcile`. */
  arrived(): Promise<number> {
    return metric(this.url, "sampledb_event_duration_seconds_count");
  }

  /** Waits until no key waits and nothing more is asked for a while; what all of it cost. */
  async untilIdle(quietMs = 1000): Promise<Costs> {
    for (;;) {
      const before = await this.costs();
      // Quiet is an absence: it has no condition to wait on but time.
      await wait(quietMs);
      const waiting = await metric(await this.#source.url(), "sampledb_waiting_keys");
      const { events, passes, reads, writes } = since(before, await this.costs());
      if (waiting + events + passes + reads + writes === 0) return before;
    }
  }
}
