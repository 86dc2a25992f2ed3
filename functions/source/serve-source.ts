import { setTimeout as wait } from "node:timers/promises";
import { releaseFrom } from "../shared/api/release.ts";
import { apiServer } from "../shared/kube/api-server.ts";
import { readAccess } from "../shared/kube/read-access.ts";
import { apiCallMetrics } from "../shared/serve/api-call-metrics.ts";
import { functionApp } from "../shared/serve/function-app.ts";
import { metrics } from "../shared/serve/metrics.ts";
import { processName } from "../shared/serve/process-name.ts";
import { runServer } from "../shared/serve/run-server.ts";
import { sentMetrics } from "../shared/serve/sent-metrics.ts";
import { concurrencyFrom } from "../shared/serve/sink.ts";
import { sinksFrom } from "../shared/serve/sinks-from.ts";
import { startTracing } from "../shared/serve/trace.ts";
import { silenceMsFrom } from "./silence-ms-from.ts";
import { startSource } from "./source.ts";

/** Watches and sends until the process is asked to end. */
export const serveSource = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const concurrency = concurrencyFrom(env);
  const silenceMs = silenceMsFrom(env);
  const release = releaseFrom(env);
  const tracing = await startTracing(env, processName());
  const counted = metrics();
  const api = apiServer(readAccess(env), apiCallMetrics(counted));
  const sinks = sinksFrom(env, "source.changed").map(sentMetrics(counted));
  // A wait for another try keeps no process alive.
  const source = startSource({
    api,
    sinks,
    concurrency,
    silenceMs,
    release,
    wait: (ms) => wait(ms, undefined, { ref: false }),
  });
  counted.gauge("sampledb_waiting_keys", "Keys that wait or are in flight.", source.size);
  let isStopping = false;
  const isReady = (): boolean => !isStopping && source.isReady();
  await runServer(
    {
      handler: functionApp({ works: {}, isReady, metrics: counted }),
      onStopping: () => {
        isStopping = true;
      },
      onStopped: async () => {
        await source.stop();
        for (const { close } of [...sinks, api]) close();
        await tracing.stop();
      },
    },
    env,
  );
};
