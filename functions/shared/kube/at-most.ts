/**
 * Runs at most `limit` calls at once; further ones wait for their turn, first come first served. Where time is short, a few passes that
 * end are worth more than many that all run into their deadline: a pass's deadline begins with its turn.
 */
export const atMost = <A, T>(
  limit: number,
  run: (argument: A) => Promise<T>,
): ((argument: A) => Promise<T>) => {
  const line: (() => void)[] = [];
  let running = 0;
  const turn = async (): Promise<void> => {
    if (running < limit) {
      running += 1;
      return;
    }
    // Whoever ends hands its place on, so that nobody can slip in between.
    await new Promise<void>((resolve) => {
      line.push(resolve);
    });
  };
  const handOn = (): void => {
    const next = line.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (argument) => {
    await turn();
    try {
      return await run(argument);
    } finally {
      handOn();
    }
  };
};
