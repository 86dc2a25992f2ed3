import { setTimeout as delay } from "node:timers/promises";

type WaitOptions = { readonly what: string; readonly timeoutMs: number; readonly everyMs?: number };

/** Asks again and again until the answer is not undefined; throws when that takes too long. An error of `ask` counts as "not yet". */
export const waitUntil = async <T>(ask: () => Promise<T | undefined>, options: WaitOptions): Promise<T> => {
  const end = Date.now() + options.timeoutMs;
  let last = "";
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (error instanceof Hopeless) throw error;
      last = error instanceof Error ? `: ${error.message}` : "";
    }
    if (Date.now() > end)
      throw new Error(`${options.what} took longer than ${options.timeoutMs / 1000} s${last}`);
    await delay(options.everyMs ?? 50);
  }
};

/** Thrown by `ask` when waiting longer cannot help. */
export class Hopeless extends Error {}
