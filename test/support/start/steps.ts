export type Steps = {
  /** Announces a step, runs it, and says how long it took. */
  readonly step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
  /** A line within the step that runs. */
  readonly note: (line: string) => void;
};

/** Writes steps with the time since the start, so that a reader sees what takes long. */
export const steps = (write: (text: string) => void, now: () => number = Date.now): Steps => {
  const started = now();
  const clock = (): string => `${((now() - started) / 1000).toFixed(1).padStart(6)} s`;
  return {
    step: async (title, work) => {
      const begun = now();
      write(`${clock()}  ${title}\n`);
      const result = await work();
      write(`${clock()}    done in ${((now() - begun) / 1000).toFixed(1)} s\n`);
      return result;
    },
    note: (line) => write(`${clock()}    ${line}\n`),
  };
};
