/** Golden ratio less one: of all steps round a circle, this one leaves the smallest gaps, wherever it began and whenever one stops. */
const STEP = (Math.sqrt(5) - 1) / 2;

/** Ticks come every minute, or every few. */
const TICK_MS = 60_000;

/**
 * Where in a sorted line of `count` keys the sweep of the moment `now` (ms since 1970) begins. A sweep remembers nothing; where sweeps
 * are cut short, so that each reaches only `reach` keys, those of 2 * count / reach + 1 minutes in a row reach every key.
 */
export const startOf = (now: number, count: number): number => {
  const turns = Math.floor(now / TICK_MS) * STEP;
  return Math.floor((turns - Math.floor(turns)) * count);
};
