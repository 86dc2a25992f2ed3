const part = "x".repeat(63);

/** So many valid labels, with names as long as can be, that an object which carries them has about `bytes` bytes as JSON. */
export const largeLabels = (bytes: number): Readonly<Record<string, string>> => {
  const prefix = `${part}.${part}.${part}.${"x".repeat(61)}`;
  const nameOf = (index: number): string => `${prefix}/label-${String(index).padStart(8, "0")}`;
  const length = Math.floor(bytes / `"${nameOf(0)}":"${part}",`.length);
  return Object.fromEntries(Array.from({ length }, (_, index) => [nameOf(index), part]));
};
