/** A limit on silence: `signal` aborts when nobody called `heard` for so long, and when the outer signal does. */
export type Patience = {
  readonly signal: AbortSignal;
  readonly heard: () => void;
  /** It was the silence that aborted. */
  readonly isOver: () => boolean;
  /** Has to be called: a limit that nobody ended keeps its process alive. */
  readonly end: () => void;
};

/** Patience for `ms` milliseconds of silence, within `outer`. */
export const patience = (ms: number, outer: AbortSignal): Patience => {
  const controller = new AbortController();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, ms);
  const abort = (): void => controller.abort(outer.reason);
  // Not AbortSignal.any: the outer signal lives as long as the process, and would keep each of many.
  outer.addEventListener("abort", abort, { once: true });
  if (outer.aborted) abort();
  return {
    signal: controller.signal,
    heard: () => void timer.refresh(),
    isOver: () => isOver,
    end: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", abort);
    },
  };
};
