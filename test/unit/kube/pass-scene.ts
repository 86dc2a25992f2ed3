import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { Action, Ref } from "../../../functions/shared/kube/action.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";
import { pass } from "../../../functions/shared/kube/pass.ts";
import type { PassNote } from "../../../functions/shared/kube/pass.ts";
import type { ReconcileFunction } from "../../../functions/shared/kube/reconcile-function.ts";
import type { FakeCluster } from "../../support/fake-cluster.ts";

const key = { namespace: "shop", name: "orders" };
export const ref: Ref = { kind: "SampleDB", ...key, uid: "uid-orders", resourceVersion: "1" };
export const create: Action = {
  do: "create",
  object: { apiVersion: "v1", kind: "Service", metadata: { name: "orders", namespace: "shop" } },
};
export const merge: Action = { do: "merge", ref, patch: {} };

export const plans = (name: string, ...actions: readonly Action[]): ReconcileFunction => ({
  name,
  reads: ["Secret"],
  plan: () => actions,
});

export const run = async (cluster: FakeCluster, functions: readonly ReconcileFunction[]) => {
  const notes: PassNote[] = [];
  const outcome = await pass(
    {
      clusterUntil: () => cluster,
      functions,
      catalog: () => BUILT_IN_CATALOG,
      tell: (note) => notes.push(note),
    },
    key,
  );
  return { outcome, notes, calls: cluster.calls };
};

export const forbidden = () => new Fault("refused", "no", { code: 403, reason: "Forbidden" });
export const conflict = () => new Fault("conflict", "changed", { code: 409 });
export const exists = () => new Fault("conflict", "already exists", { code: 409, reason: "AlreadyExists" });
