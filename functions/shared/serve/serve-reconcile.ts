import type { ReconcileFunction } from "../kube/reconcile-function.ts";
import { reconcileWorks } from "./reconcile-works.ts";
import { servePasses } from "./serve-passes.ts";

/** Serves one or several reconcile functions until the process is asked to end. Their order is that of a pass. */
export const serveReconcile = (
  functions: readonly ReconcileFunction[],
  env: NodeJS.ProcessEnv,
): Promise<void> => servePasses((surroundings) => reconcileWorks({ ...surroundings, functions }), env);
