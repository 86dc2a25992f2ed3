const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/** How long to wait after so many failures in a row (1 or more): doubled each time up to 30 s, of which a random half, so that many who wait do not return as one. */
export const backOffMs = (failures: number, random: () => number = Math.random): number => {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return whole / 2 + (random() * whole) / 2;
};
