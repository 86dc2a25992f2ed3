/** The API server's default when a call names no timeout. */
const DEFAULT_MS = 10_000;

/** Far above what the API server allows (30 s), and below what a timer can hold. */
const MOST_MS = 600_000;

/** Milliseconds of each unit of a Go duration. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gu;

const durationMs = (text: string): number | undefined => {
  const parts = [...text.matchAll(PART)];
  if (parts.map(([part]) => part).join("") !== text || parts.length === 0) return undefined;
  return parts.reduce((sum, [, number, unit = ""]) => sum + Number(number) * (UNITS[unit] ?? 0), 0);
};

/**
 * Milliseconds in which a call must be answered: a little less than what its `?timeout=` (a Go duration such as `10s` or `1m0.5s`) allows, so
 * that the answer arrives. What is no such duration, or none above 0, counts as not given.
 */
export const answerWithin = (url: URL): number => {
  const given = durationMs(url.searchParams.get("timeout") ?? "") ?? 0;
  return Math.min(given > 0 ? given : DEFAULT_MS, MOST_MS) * 0.9;
};
