import { keyText } from "../api/key.ts";
import type { Key } from "../api/key.ts";

/**
 * Runs for one key do not overlap within this process, and a call that comes while one runs is answered by a run that begins after
 * the call: however many wait, they share it. Correctness does not depend on this, it only saves passes that would collide.
 */
export const oneAtATime = <T>(run: (key: Key) => Promise<T>): ((key: Key) => Promise<T>) => {
  const running = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();
  const start = (key: Key): Promise<T> => {
    const id = keyText(key);
    const current = run(key).finally(() => running.delete(id));
    running.set(id, current);
    return current;
  };
  const startAfter = async (current: Promise<T>, key: Key): Promise<T> => {
    await current.catch(() => undefined);
    waiting.delete(keyText(key));
    return start(key);
  };
  return (key) => {
    const id = keyText(key);
    const next = waiting.get(id);
    if (next !== undefined) return next;
    const current = running.get(id);
    if (current === undefined) return start(key);
    const after = startAfter(current, key);
    waiting.set(id, after);
    return after;
  };
};
