/** What one gap tore open in several kinds, each of which lists again at its own time, is told once. */
const SETTLE_MS = 2000;

/** `work`, a moment after it is asked for; once for all who ask meanwhile. */
export const once = (work: () => void, wait: (ms: number) => Promise<unknown>): (() => void) => {
  let isDue = false;
  const later = async (): Promise<void> => {
    isDue = true;
    await wait(SETTLE_MS);
    isDue = false;
    work();
  };
  return () => {
    if (!isDue) void later();
  };
};
