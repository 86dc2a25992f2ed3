import { provision } from "../../../functions/provision/provision.ts";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { Action } from "../../../functions/shared/kube/action.ts";
import type { Secret } from "../../../functions/shared/kube/kinds.ts";
import { ImaginedCluster, planContext } from "../../support/imagined-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

/** What a plan does, in short: `create Secret orders`. */
export const told = (actions: readonly Action[]): readonly string[] =>
  actions.map((action) =>
    "object" in action
      ? `${action.do} ${action.object.kind} ${action.object.metadata?.name ?? ""}`
      : `${action.do} ${action.ref.kind} ${action.ref.name}`,
  );

/** What provision would do next. */
export const planned = (cluster: ImaginedCluster, context = planContext()): readonly string[] =>
  told(provision.plan(cluster.observe(), context));

/** The cluster at the fixed point, its log empty. */
export const converged = (spec: SampleDBSpec = {}): ImaginedCluster => {
  const cluster = new ImaginedCluster(makeSampleDB({ spec }));
  cluster.converge([provision]);
  cluster.log.length = 0;
  return cluster;
};

/** A Secret's value, decoded. */
export const field = (secret: Secret, key: string): string =>
  Buffer.from(secret.data?.[key] ?? "", "base64").toString("utf8");

/** The cluster after the first pass: nothing runs, the claim is unbound. */
export const begun = (): ImaginedCluster => {
  const cluster = new ImaginedCluster(makeSampleDB());
  for (const action of provision.plan(cluster.observe(), planContext())) cluster.carryOut(action);
  return cluster;
};
