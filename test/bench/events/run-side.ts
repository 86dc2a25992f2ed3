import { setTimeout as wait } from "node:timers/promises";
import { startCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { imagineNode } from "../../support/imagined-node.ts";
import { plainApi } from "../../support/plain-api.ts";
import { AuditTally } from "../../support/audit-tally.ts";
import { Convergence } from "./convergence.ts";
import { AT_ONCE, NAMESPACE, create, deleteChildren, edit, makeNamespace, namesOf } from "./load.ts";
import type { Programs } from "./programs.ts";
import type { Side } from "./side.ts";

/** What one phase cost, until nothing more was asked of the API server. */
export type Phase = {
  readonly seconds: number;
  readonly reads: number;
  readonly writes: number;
  /** Of the writes, those of Events. */
  readonly events: number;
  readonly observations: number;
  readonly cpuSeconds: number;
};

export type Run = {
  readonly create: Phase;
  readonly edit: Phase;
  readonly repair: Phase;
  readonly peakMegabytes: number;
  /** Requests by verb and kind. */
  readonly requests: ReadonlyMap<string, number>;
};

/** How long a pod takes to start, and a Job's pod to end. */
const POD_START_MS = 500;
const QUIET_MS = 3000;

type Running = { readonly side: Side; readonly tally: AuditTally };

/** Waits until the side asks nothing more. Quiet is an absence: it has no condition to wait on but time. */
const untilQuiet = async (tally: AuditTally): ReturnType<AuditTally["count"]> => {
  let before = await tally.count();
  for (;;) {
    await wait(QUIET_MS);
    const after = await tally.count();
    if (after.reads === before.reads && after.writes === before.writes) return after;
    before = after;
  }
};

const measured = async (
  { side, tally }: Running,
  load: () => Promise<unknown>,
  converged: () => Promise<unknown>,
): Promise<Phase> => {
  const before = await untilQuiet(tally);
  const cpuBefore = side.cpuSeconds();
  const started = performance.now();
  await load();
  await converged();
  const seconds = (performance.now() - started) / 1000;
  const after = await untilQuiet(tally);
  return {
    seconds,
    reads: after.reads - before.reads,
    writes: after.writes - before.writes,
    events: after.events - before.events,
    observations: after.observations - before.observations,
    cpuSeconds: side.cpuSeconds() - cpuBefore,
  };
};

/** One side on an API server of its own: `count` SampleDBs created in one go, edited, and robbed of a child each. */
export const runSide = async (
  startSide: (kubeconfig: string, programs: Programs) => Promise<Side>,
  made: Programs,
  count: number,
): Promise<Run> => {
  await using cluster = await startCluster({ level: "api" });
  await installCrds(cluster.kubectl);
  const api = await plainApi(cluster.kubeconfig, AT_ONCE);
  try {
    await makeNamespace(api);
    using _ = await imagineNode(api, NAMESPACE, POD_START_MS);
    await using side = await startSide(cluster.kubeconfig, made);
    const running = { side, tally: new AuditTally(cluster.auditLogFile, side.agent) };
    using convergence = new Convergence(api);
    const names = namesOf(count);
    const created = await measured(
      running,
      () => create(api, names),
      () => convergence.allReady(names, 1),
    );
    const changed = await measured(
      running,
      () => edit(api, names),
      async () => {
        await convergence.allReady(names, 2);
        await convergence.allEdited(count);
      },
    );
    const victims = convergence.victims(names);
    const repaired = await measured(
      running,
      () => deleteChildren(api, names),
      async () => {
        await convergence.allBack(victims);
        await convergence.allReady(names, 2);
      },
    );
    const peakMegabytes = side.peakMegabytes();
    return {
      create: created,
      edit: changed,
      repair: repaired,
      peakMegabytes,
      requests: running.tally.byKind,
    };
  } finally {
    api.close();
  }
};
