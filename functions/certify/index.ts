import { Fault } from "../shared/kube/fault.ts";
import { functionApp } from "../shared/serve/function-app.ts";
import type { Reply } from "../shared/serve/function-app.ts";
import { log } from "../shared/serve/log.ts";
import { metrics } from "../shared/serve/metrics.ts";
import { runServer } from "../shared/serve/run-server.ts";
import { run } from "./run.ts";

const tell = (cause: unknown): void =>
  log({
    level: "error",
    function: "certify",
    message: cause instanceof Error ? cause.message : String(cause),
  });

const once = async (): Promise<void> => {
  try {
    await run(process.env);
  } catch (cause) {
    tell(cause);
    process.exitCode = 1;
  }
};

/** A timer knocked. Only an API server that cannot be used is worth another knock before the next tick. */
const knock = async (): Promise<Reply> => {
  try {
    // Shorter than a sender waits for its answer.
    await run({ READY_TIMEOUT_SECONDS: "60", ...process.env });
    return { status: 204, outcome: "settled" };
  } catch (cause) {
    tell(cause);
    const isUnavailable = cause instanceof Fault && cause.sort === "unavailable";
    return isUnavailable ? { status: 503, outcome: "unavailable" } : { status: 204, outcome: "failed" };
  }
};

const serve = (): Promise<void> => {
  let isReady = true;
  const handler = functionApp({ works: { "/": knock }, isReady: () => isReady, metrics: metrics() });
  const onStopping = (): void => {
    isReady = false;
  };
  return runServer({ handler, onStopping }, process.env);
};

await (process.argv[2] === "once" ? once() : serve());
