/** A living watch sends a bookmark every minute and a little. */
const SECONDS = 90;

/** How long a watch may say nothing before it is begun anew, in milliseconds: `WATCH_SILENCE_SECONDS`. Throws with a sentence for the user. */
export const silenceMsFrom = (env: NodeJS.ProcessEnv): number => {
  const seconds = Number(env["WATCH_SILENCE_SECONDS"] ?? SECONDS);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw new Error(
    `WATCH_SILENCE_SECONDS is ${JSON.stringify(env["WATCH_SILENCE_SECONDS"])}: it must be a number above 0.`,
  );
};
