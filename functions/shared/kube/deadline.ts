const ends = new WeakMap<AbortSignal, number>();

/** A signal that aborts after so many milliseconds, and of which `msLeft` knows when. */
export const deadlineIn = (ms: number): AbortSignal => {
  const signal = AbortSignal.timeout(ms);
  ends.set(signal, performance.now() + ms);
  return signal;
};

/** Milliseconds until a signal of `deadlineIn` aborts; Infinity for any other. */
export const msLeft = (signal: AbortSignal): number =>
  (ends.get(signal) ?? Number.POSITIVE_INFINITY) - performance.now();
