export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted.at(sorted.length % 2 === 0 ? middle - 1 : middle),
    sorted.at(middle),
  ];
  return (low + high) / 2;
};

/** The one line by which a benchmark tells a figure. */
export const figure = (name: string, value: number, target: string): void => {
  process.stdout.write(`figure ${name} ${value.toFixed(2)} ${target}\n`);
};
