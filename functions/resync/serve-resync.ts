import { keysOf } from "../shared/api/keys-of.ts";
import { callerCheck } from "../shared/serve/caller-check.ts";
import { functionApp } from "../shared/serve/function-app.ts";
import type { Reply } from "../shared/serve/function-app.ts";
import { hintOf } from "../shared/serve/hint-of.ts";
import { metrics } from "../shared/serve/metrics.ts";
import type { Metrics } from "../shared/serve/metrics.ts";
import { processName } from "../shared/serve/process-name.ts";
import { runServer } from "../shared/serve/run-server.ts";
import { startTracing } from "../shared/serve/trace.ts";
import { joined } from "./joined.ts";
import { resync } from "./resync.ts";
import type { Resynced } from "./resync.ts";
import { isComplete, told } from "./told.ts";

const replyTo = (swept: Resynced): Reply => {
  const fields = told(swept);
  if (swept.faults.some(({ sort }) => sort === "unavailable")) {
    return { status: 503, outcome: "unavailable", fields };
  }
  // Not delivering is no reason to be asked again: the next tick comes anyway.
  return { status: 204, outcome: isComplete(swept) ? "swept" : "incomplete", fields };
};

/** Counts what came of sweeps, and when the last one went well. */
const sweepMetrics = (counted: Metrics): ((swept: Resynced) => void) => {
  const keys = counted.counter(
    "sampledb_resync_keys_total",
    "Keys that sweeps visited, by what came of it.",
    ["outcome"],
  );
  let completedAt = 0;
  counted.gauge(
    "sampledb_resync_last_complete_timestamp_seconds",
    "When a sweep last visited all.",
    () => completedAt,
  );
  return (swept) => {
    keys.inc({ outcome: "sent" }, swept.sent);
    keys.inc({ outcome: "failed" }, swept.failed);
    if (isComplete(swept)) completedAt = Date.now() / 1000;
  };
};

/** Serves sweeps until the process is asked to end: an event that names a SampleDB visits that one, any other is a tick. */
export const serveResync = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const tracing = await startTracing(env, processName());
  const counted = metrics();
  const { run, visit, close } = resync(env, counted);
  const count = sweepMetrics(counted);
  let isStopping = false;
  const runJoined = joined(async () => {
    const swept = await run({});
    count(swept);
    return swept;
  });
  await runServer(
    {
      handler: functionApp({
        works: {
          "/": async (event) => {
            const keys = event === undefined ? [] : keysOf(hintOf(event));
            return replyTo(await (keys.length === 0 ? runJoined() : visit(keys)));
          },
        },
        isReady: () => !isStopping,
        metrics: counted,
        callers: callerCheck(env),
      }),
      onStopping: () => {
        isStopping = true;
      },
      onStopped: () => {
        close();
        return tracing.stop();
      },
    },
    env,
  );
};
