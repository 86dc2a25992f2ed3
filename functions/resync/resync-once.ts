import { log } from "../shared/serve/log.ts";
import { metrics } from "../shared/serve/metrics.ts";
import { processName } from "../shared/serve/process-name.ts";
import { startTracing } from "../shared/serve/trace.ts";
import { resync } from "./resync.ts";
import { WrongScope, readScope } from "./scope.ts";
import { isComplete, told } from "./told.ts";

/**
 * One sweep as a process, for timers that start one: of everything, or of `scope`, which is `namespace` or `namespace/name`. Gives the exit
 * code: 0 where every key was delivered, 2 where the scope names nothing, 1 otherwise.
 */
export const resyncOnce = async (scope: string | undefined, env: NodeJS.ProcessEnv): Promise<0 | 1 | 2> => {
  const tracing = await startTracing(env, processName());
  try {
    const wanted = readScope(scope);
    const { run, close } = resync(env, metrics());
    const swept = await run(wanted).finally(close);
    const isAll = isComplete(swept);
    log({ level: isAll ? "info" : "error", message: "swept", ...told(swept) });
    return isAll ? 0 : 1;
  } catch (cause) {
    log({ level: "error", message: cause instanceof Error ? cause.message : String(cause) });
    return cause instanceof WrongScope ? 2 : 1;
  } finally {
    await tracing.stop();
  }
};
