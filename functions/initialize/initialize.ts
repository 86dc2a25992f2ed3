import { type ReconcileFunction, reconcileFunction } from "../shared/kube/reconcile-function.ts";
import { READS, plan } from "./plan.ts";

/** Makes the database, its owner role and what the init scripts say, by one Job, once a volume; tries the credentials of a new owner. */
export const initialize: ReconcileFunction = reconcileFunction({ name: "initialize", reads: READS, plan });
