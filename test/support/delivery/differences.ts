const onlyIn = (these: readonly string[], those: readonly string[]): readonly string[] => {
  const known = new Set(those);
  return these.filter((line) => !known.has(line));
};

/** The lines that only one of two texts has. */
export const differences = (expected: string, found: string): string => {
  const [wanted, there] = [expected.split("\n"), found.split("\n")];
  return [
    ...onlyIn(wanted, there).map((line) => `- ${line}`),
    ...onlyIn(there, wanted).map((line) => `+ ${line}`),
  ].join("\n");
};
