import { type ReconcileFunction, reconcileFunction } from "../shared/kube/reconcile-function.ts";
import { plan } from "./plan.ts";
import { READS } from "./world.ts";

/** Keeps everything that a SampleDB needs to run: Secrets, ConfigMap, Services, claim, StatefulSet, PodDisruptionBudget. */
export const provision: ReconcileFunction = reconcileFunction({ name: "provision", reads: READS, plan });
