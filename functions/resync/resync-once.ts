import { log } from "../shared/serve/log.ts";
import { resync } from "./resync.ts";

/**
 * One sweep as a process, for timers that start one: of everything, or of `scope`, which is `namespace` or `namespace/name`. Gives the exit
 * code: 0 where every key was delivered, 1 otherwise.
 */
export const resyncOnce = async (scope: string | undefined, env: NodeJS.ProcessEnv): Promise<0 | 1> => {
  const [namespace, name] = (scope ?? "").split("/").filter((part) => part !== "");
  try {
    const { run, close } = resync(env);
    const { sent, failed } = await run({
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
    }).finally(close);
    log({ level: failed === 0 ? "info" : "error", message: "swept", sent, failed });
    return failed === 0 ? 0 : 1;
  } catch (cause) {
    log({ level: "error", message: cause instanceof Error ? cause.message : String(cause) });
    return 1;
  }
};
