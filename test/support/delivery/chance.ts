/** A number from 0 to below 1 that follows from seed and label alone: no decision depends on how many were taken before it. */
export const chance = (seed: number, label: string): number => {
  // cyrb53, by bryc, public domain.
  let [a, b] = [0xde_ad_be_ef ^ seed, 0x41_c6_ce_57 ^ seed];
  for (const character of label) {
    const code = character.codePointAt(0) ?? 0;
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return (2 ** 32 * (2_097_151 & b) + (a >>> 0)) / 2 ** 53;
};

/** A whole number from 0 to below `count`. */
export const whole = (seed: number, label: string, count: number): number =>
  Math.floor(chance(seed, label) * count);

export const pick = <T>(seed: number, label: string, from: readonly [T, ...T[]]): T =>
  from[whole(seed, label, from.length)] ?? from[0];
