import { initialize } from "../../../functions/initialize/initialize.ts";
import { provision } from "../../../functions/provision/provision.ts";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { Action } from "../../../functions/shared/kube/action.ts";
import type { Job } from "../../../functions/shared/kube/kinds.ts";
import { ImaginedCluster, planContext } from "../../support/imagined-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

/** A database that runs and on whose volume nothing was made yet. */
export const running = (spec: SampleDBSpec = {}): ImaginedCluster => {
  const cluster = new ImaginedCluster(makeSampleDB({ spec }));
  cluster.converge([provision]);
  cluster.log.length = 0;
  return cluster;
};

export const plan = (cluster: ImaginedCluster): readonly Action[] =>
  initialize.plan(cluster.observe(), planContext());

export const planned = (cluster: ImaginedCluster): readonly string[] =>
  plan(cluster).map((action) =>
    "object" in action
      ? `${action.do} ${action.object.kind} ${action.object.metadata?.name ?? ""}`
      : `${action.do} ${action.ref.kind} ${action.ref.name}`,
  );

export const carryOut = (cluster: ImaginedCluster): void => {
  for (const action of plan(cluster)) cluster.carryOut(action);
};

export const facts = (cluster: ImaginedCluster): Readonly<Record<string, string>> =>
  cluster.named("PersistentVolumeClaim", "orders-1-1").metadata?.annotations ?? {};

export const mode = (job: Job): string | undefined =>
  job.spec?.template.spec?.containers[0]?.env?.find(({ name }) => name === "MODE")?.value;

export const ended = (type: "Complete" | "Failed") => ({
  status: { conditions: [{ type, status: "True" }] },
});
