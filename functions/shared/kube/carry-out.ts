import type { Action, Writable } from "./action.ts";
import type { ApiServer } from "./api-server.ts";
import { callFor } from "./call-for.ts";
import { Fault } from "./fault.ts";

/** Whether a refusal says that the wanted state is there already. */
const isDone = (action: Action, { code, reason }: Fault): boolean =>
  (action.do === "create" && action.object.kind === "Event" && code === 409 && reason === "AlreadyExists") ||
  (action.do === "delete" && code === 404);

/** Whether the action was to make an object, not to change one. */
const isMaking = (action: Action): boolean =>
  action.do === "create" || (action.do === "apply" && action.uid === undefined);

/** What the API server answers to a write is the object as it is now; to a deletion, what it was. */
const objectIn = (action: Action, answer: string): Writable | undefined => {
  if (action.do === "delete") return undefined;
  const object: Writable = JSON.parse(answer);
  return object;
};

/**
 * Carries out one action and gives the object as it is after it, undefined where it is gone or was there already. Rejects with a Fault, except where the wanted state is there already. An object that was to be made and exists
 * is a conflict of reason `AlreadyExists`: another pass's, to be read, or somebody else's.
 */
export const carryOut = async (
  api: ApiServer,
  action: Action,
  manager: string,
  signal: AbortSignal,
): Promise<Writable | undefined> => {
  try {
    return objectIn(action, await api.call({ ...callFor(action, manager), signal }));
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    if (isDone(action, cause)) return undefined;
    // What was to be changed is gone: it changed since it was read.
    if (action.do === "merge" && cause.code === 404) {
      throw new Fault("conflict", cause.message, { code: 404, reason: cause.reason, cause });
    }
    if (isMaking(action) && cause.sort === "conflict") {
      throw new Fault("conflict", cause.message, { code: 409, reason: "AlreadyExists", cause });
    }
    throw cause;
  }
};
