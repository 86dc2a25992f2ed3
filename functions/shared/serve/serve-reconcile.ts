import { apiServer } from "../kube/api-server.ts";
import { kubeCluster } from "../kube/kube-cluster.ts";
import { readAccess } from "../kube/read-access.ts";
import type { ReconcileFunction } from "../kube/reconcile-function.ts";
import { apiCallMetrics } from "./api-call-metrics.ts";
import { callerCheck } from "./caller-check.ts";
import { catalogFolder, catalogFrom } from "./catalog-file.ts";
import { functionApp } from "./function-app.ts";
import { metrics } from "./metrics.ts";
import { passNotes } from "./pass-notes.ts";
import { processName } from "./process-name.ts";
import { reconcileWorks } from "./reconcile-works.ts";
import { runServer } from "./run-server.ts";
import { startTracing } from "./trace.ts";

/** Serves one or several reconcile functions until the process is asked to end. Their order is that of a pass. */
export const serveReconcile = async (
  functions: readonly ReconcileFunction[],
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const tracing = await startTracing(env, processName());
  const counted = metrics();
  const api = apiServer(readAccess(env), apiCallMetrics(counted));
  let isReady = true;
  const works = reconcileWorks({
    clusterUntil: (signal) => kubeCluster(api, signal),
    functions,
    catalog: catalogFrom(catalogFolder(env)),
    tell: passNotes(counted),
  });
  await runServer(
    {
      handler: functionApp({ works, isReady: () => isReady, metrics: counted, callers: callerCheck(env) }),
      onStopping: () => {
        isReady = false;
      },
      onStopped: () => {
        api.close();
        return tracing.stop();
      },
    },
    env,
  );
};
