import { releaseFrom } from "../api/release.ts";
import { apiServer } from "../kube/api-server.ts";
import { kubeCluster } from "../kube/kube-cluster.ts";
import type { PassOptions } from "../kube/pass.ts";
import { readAccess } from "../kube/read-access.ts";
import { servesNamespace } from "../kube/serves-namespace.ts";
import { apiCallMetrics } from "./api-call-metrics.ts";
import { callerCheck } from "./caller-check.ts";
import { catalogFolder, catalogFrom } from "./catalog-file.ts";
import { functionApp } from "./function-app.ts";
import type { Work } from "./function-app.ts";
import { metrics } from "./metrics.ts";
import type { Metrics } from "./metrics.ts";
import { passNotes } from "./pass-notes.ts";
import { processName } from "./process-name.ts";
import { runServer } from "./run-server.ts";
import { startTracing } from "./trace.ts";

/** A pass's options but for the functions. */
type Surroundings = Omit<PassOptions, "functions">;

/** Serves works that are passes until the process is asked to end. */
export const servePasses = async (
  worksOf: (surroundings: Surroundings, counted: Metrics) => Readonly<Record<string, Work>>,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const release = releaseFrom(env);
  const tracing = await startTracing(env, processName());
  const counted = metrics();
  const api = apiServer(readAccess(env), apiCallMetrics(counted));
  let isReady = true;
  const surroundings: Surroundings = {
    clusterUntil: (signal) => kubeCluster(api, signal),
    serves: release && servesNamespace(api, release),
    catalog: catalogFrom(catalogFolder(env)),
    tell: passNotes(counted),
  };
  const works = worksOf(surroundings, counted);
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
