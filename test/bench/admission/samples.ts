import { median } from "../figure.ts";

/** Times in milliseconds, in rounds. */
export type Samples = { readonly rounds: (readonly number[])[] };

export const noSamples = (): Samples => ({ rounds: [] });

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

/** p50, p95 and p99 of all rounds together, as text. */
export const percentiles = ({ rounds }: Samples): string => {
  const all = rounds.flat();
  return [0.5, 0.95, 0.99].map((share) => at(all, share).toFixed(2)).join(" / ");
};

/** The median over rounds of how the medians of two sides in it compare: what disturbs a round disturbs both. */
export const ratioOfMedians = (a: Samples, b: Samples): number =>
  median(a.rounds.map((round, index) => median(round) / median(b.rounds[index] ?? [])));
