import { setTimeout as wait } from "node:timers/promises";

/** First send and five more, with these waits in between, in milliseconds. */
const WAITS_MS = [100, 200, 400, 800, 1600];
/** Time is scaled down by this, so that a seed is quick. */
const SCALE = 20;
const RETRIED = new Set([404, 413, 425, 429, 502, 503, 504]);

/** What came of one send: a status, or no answer. */
export type Sent = number | "network error";

/** Whether this answer makes the sender try again. */
export const isRetried = (sent: Sent): boolean => sent === "network error" || RETRIED.has(sent);

/**
 * Sends as Knative's source does: again on a network error and on 404, 413, 425, 429, 502, 503 and 504, not on any other status (500 among
 * them); whatever the last answer is, nobody sends that event again. `send` is told which try it is, from 0 on. Gives every answer.
 */
export const sendLikeKnative = async (
  send: (tries: number) => Promise<Sent>,
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<readonly Sent[]> => {
  const answers: Sent[] = [];
  for (;;) {
    const answer = await send(answers.length);
    answers.push(answer);
    const ms = WAITS_MS[answers.length - 1];
    if (!isRetried(answer) || ms === undefined) return answers;
    await pause(ms / SCALE);
  }
};
