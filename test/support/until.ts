import { waitUntil } from "./cluster/wait-until.ts";

/** Waits for a condition: for the first value of `look` other than undefined and false. Throws after `ms`, naming what was waited for. */
export const until = <T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 300_000,
): Promise<T> =>
  waitUntil(
    async () => {
      const found = await look();
      return found === false ? undefined : found;
    },
    { what, timeoutMs: ms, everyMs: 10 },
  );
