import { reconcileFunction } from "../shared/kube/reconcile-function.ts";
import { planRetire } from "./plan-retire.ts";

/** Carries out the deletion policy of a SampleDB that is being deleted, then lets go of it. */
export const retire = reconcileFunction({
  name: "retire",
  reads: [
    "Secret",
    "ConfigMap",
    "Service",
    "PersistentVolumeClaim",
    "PersistentVolume",
    "StatefulSet",
    "PodDisruptionBudget",
    "Job",
    "Pod",
  ],
  plan: planRetire,
});
