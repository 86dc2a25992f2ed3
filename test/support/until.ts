import { setTimeout as wait } from "node:timers/promises";

/** Resolves with the first value other than undefined and false that `look` gives; throws after `ms`, naming what was waited for. */
export const until = async <T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  ms = 10_000,
): Promise<T> => {
  const end = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await wait(10);
  }
};
