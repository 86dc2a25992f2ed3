import { setTimeout as wait } from "node:timers/promises";
import { apiServer } from "../shared/kube/api-server.ts";
import { readAccess } from "../shared/kube/read-access.ts";
import { functionApp } from "../shared/serve/function-app.ts";
import { metrics } from "../shared/serve/metrics.ts";
import { runServer } from "../shared/serve/run-server.ts";
import { concurrencyFrom, httpSink, sinkUrls } from "../shared/serve/sink.ts";
import type { Delivery } from "../shared/serve/sink.ts";
import type { Key } from "../shared/api/key.ts";
import { silenceMsFrom } from "./silence-ms-from.ts";
import { startSource } from "./source.ts";

/** Watches and sends until the process is asked to end. */
export const serveSource = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const concurrency = concurrencyFrom(env);
  const silenceMs = silenceMsFrom(env);
  const api = apiServer(readAccess(env));
  const counted = metrics();
  const sent = counted.counter("sampledb_sent_events_total", "Events that were sent, by what came of it.", [
    "outcome",
  ]);
  const sinks = sinkUrls(env).map((url) => httpSink(url, "source.changed", concurrency));
  const counting = sinks.map(({ deliver }) => ({
    deliver: async (key: Key): Promise<Delivery> => {
      const outcome = await deliver(key);
      sent.inc({ outcome });
      return outcome;
    },
  }));
  // A wait for another try keeps no process alive.
  const source = startSource({
    api,
    sinks: counting,
    concurrency,
    silenceMs,
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
      },
    },
    env,
  );
};
