const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/**
 * How long to wait after so many failures in a row (1 or more), in milliseconds: doubled each time up to `longestMs` (30 s), of which a
 * random half, so that many who wait do not return as one.
 */
export const backOffMs = (
  failures: number,
  random: () => number = Math.random,
  longestMs = LONGEST_MS,
): number => {
  const whole = Math.min(longestMs, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return whole / 2 + (random() * whole) / 2;
};
