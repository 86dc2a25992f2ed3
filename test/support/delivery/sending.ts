/** What came of one send: a status, or no answer. */
export type Sent = number | "network error";

/** How somebody sends: how long it waits before each further send, in milliseconds, and after which answers there is one. */
export type Sending = {
  readonly pausesMs: readonly number[];
  readonly isRetried: (sent: Sent) => boolean;
};

/**
 * Sends until an answer is not retried or no send is left; whatever the last answer is, nobody sends that event again. `send` is told which try
 * it is, from 0 on. Gives every answer.
 */
export const sendBy = async (
  { pausesMs, isRetried }: Sending,
  send: (tries: number) => Promise<Sent>,
  pause: (ms: number) => Promise<unknown>,
): Promise<readonly Sent[]> => {
  const answers: Sent[] = [];
  for (;;) {
    const answer = await send(answers.length);
    answers.push(answer);
    const ms = pausesMs[answers.length - 1];
    if (!isRetried(answer) || ms === undefined) return answers;
    await pause(ms);
  }
};

/** Whether nobody took it on a machine that is too busy: anything else is the function's last word. */
export const isTooBusy = (sent: Sent): boolean => sent === "network error" || sent === 503;
