import { Fault } from "../shared/kube/fault.ts";
import type { ApiCallNote } from "../shared/kube/api-call-note.ts";
import { apiCallMetrics } from "../shared/serve/api-call-metrics.ts";
import { callerCheck } from "../shared/serve/caller-check.ts";
import { functionApp } from "../shared/serve/function-app.ts";
import type { Reply } from "../shared/serve/function-app.ts";
import { log } from "../shared/serve/log.ts";
import { metrics } from "../shared/serve/metrics.ts";
import { processName } from "../shared/serve/process-name.ts";
import { runServer } from "../shared/serve/run-server.ts";
import { startTracing } from "../shared/serve/trace.ts";
import { run } from "./run.ts";

const tell = (cause: unknown): void =>
  log({
    level: "error",
    function: "certify",
    message: cause instanceof Error ? cause.message : String(cause),
  });

const once = async (): Promise<void> => {
  const tracing = await startTracing(process.env, processName());
  try {
    await run(process.env);
  } catch (cause) {
    tell(cause);
    process.exitCode = 1;
  }
  await tracing.stop();
  // Not later: a collector of traces that does not answer must hold up no Job.
  process.exit();
};

/** A timer knocked. Only an API server that cannot be used is worth another knock before the next tick. */
const knock = async (seen: (note: ApiCallNote) => void): Promise<Reply> => {
  try {
    // Shorter than a sender waits for its answer.
    await run({ READY_TIMEOUT_SECONDS: "60", ...process.env }, seen);
    return { status: 204, outcome: "settled" };
  } catch (cause) {
    tell(cause);
    const isUnavailable = cause instanceof Fault && cause.sort === "unavailable";
    return isUnavailable ? { status: 503, outcome: "unavailable" } : { status: 204, outcome: "failed" };
  }
};

const serve = async (): Promise<void> => {
  const tracing = await startTracing(process.env, processName());
  let isReady = true;
  const counted = metrics();
  const seen = apiCallMetrics(counted);
  const handler = functionApp({
    works: { "/": () => knock(seen) },
    isReady: () => isReady,
    metrics: counted,
    callers: callerCheck(process.env),
  });
  const onStopping = (): void => {
    isReady = false;
  };
  await runServer({ handler, onStopping, onStopped: tracing.stop }, process.env);
};

await (process.argv[2] === "once" ? once() : serve());
