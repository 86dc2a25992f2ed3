import { keysOf } from "../shared/api/keys-of.ts";
import { functionApp } from "../shared/serve/function-app.ts";
import type { Reply } from "../shared/serve/function-app.ts";
import { hintOf } from "../shared/serve/hint-of.ts";
import { metrics } from "../shared/serve/metrics.ts";
import { runServer } from "../shared/serve/run-server.ts";
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

/** Serves sweeps until the process is asked to end: an event that names a SampleDB visits that one, any other is a tick. */
export const serveResync = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const { run, visit, close } = resync(env);
  let isStopping = false;
  const runJoined = joined(() => run({}));
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
        metrics: metrics(),
      }),
      onStopping: () => {
        isStopping = true;
      },
      onStopped: close,
    },
    env,
  );
};
