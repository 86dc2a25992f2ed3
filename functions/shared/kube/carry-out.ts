import type { Action } from "./action.ts";
import type { ApiServer } from "./api-server.ts";
import { callFor } from "./call-for.ts";
import { Fault } from "./fault.ts";

/** Whether a refusal says that the wanted state is there already. */
const isDone = (action: Action, { code, reason }: Fault): boolean =>
  (action.do === "create" && code === 409 && reason === "AlreadyExists") ||
  (action.do === "delete" && code === 404);

/** Carries out one action. Rejects with a Fault, except where the wanted state is there already. */
export const carryOut = async (
  api: ApiServer,
  action: Action,
  manager: string,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await api.call({ ...callFor(action, manager), signal });
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    if (isDone(action, cause)) return;
    // What was to be changed is gone: it changed since it was read.
    if (action.do === "merge" && cause.code === 404) {
      throw new Fault("conflict", cause.message, { code: 404, reason: cause.reason, cause });
    }
    throw cause;
  }
};
