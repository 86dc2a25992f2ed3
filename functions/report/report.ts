import { CHILD_KINDS } from "../shared/api/child-kinds.ts";
import { reconcileFunction } from "../shared/kube/reconcile-function.ts";
import { planReport } from "./plan-report.ts";

/** Tells in the SampleDB's status and in Events what the cluster shows of it. Nothing else writes status. */
export const report = reconcileFunction({
  name: "report",
  reads: [...CHILD_KINDS, "StorageClass", "Event", "InitSource"],
  // Its orphans are told about in Events.
  readsIfGone: ["PersistentVolumeClaim", "Secret", "StatefulSet", "Event"],
  plan: planReport,
});
