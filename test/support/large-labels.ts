/** So many valid labels that an object which carries them has about `bytes` bytes as JSON. */
export const largeLabels = (bytes: number): Readonly<Record<string, string>> => {
  const value = "x".repeat(63);
  const one = `"label-00000000":"${value}",`.length;
  return Object.fromEntries(
    Array.from({ length: Math.floor(bytes / one) }, (_, index) => [
      `label-${String(index).padStart(8, "0")}`,
      value,
    ]),
  );
};
