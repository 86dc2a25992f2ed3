import { Fault } from "../shared/kube/fault.ts";
import { functionApp } from "../shared/serve/function-app.ts";
import type { Reply } from "../shared/serve/function-app.ts";
import { log } from "../shared/serve/log.ts";
import { metrics } from "../shared/serve/metrics.ts";
import { runServer } from "../shared/serve/run-server.ts";
import { joined } from "./joined.ts";
import { resync } from "./resync.ts";
import type { Swept } from "./sweep.ts";

const replyTo = async (run: () => Promise<Swept>): Promise<Reply> => {
  try {
    const { sent, failed } = await run();
    // Not delivering is no reason to be asked again: the next tick comes anyway.
    return { status: 204, outcome: failed === 0 ? "swept" : "incomplete", fields: { sent, failed } };
  } catch (cause) {
    const isUnavailable = cause instanceof Fault && cause.sort === "unavailable";
    log({ level: "error", message: cause instanceof Error ? cause.message : String(cause) });
    return isUnavailable
      ? { status: 503, outcome: "unavailable" }
      : { status: 204, outcome: cause instanceof Fault ? "unreadable" : "bug" };
  }
};

/** Serves sweeps until the process is asked to end: any event is a tick. */
export const serveResync = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const { run, close } = resync(env);
  let isStopping = false;
  const runJoined = joined(() => run({}));
  await runServer(
    {
      handler: functionApp({
        works: { "/": () => replyTo(runJoined) },
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
