import { setTimeout as wait } from "node:timers/promises";
import { whole } from "../chance.ts";
import type { EventFault } from "../faults.ts";
import type { Letter, Post, WayParts } from "../letter.ts";
import { type Sent, isTooBusy } from "../sending.ts";

type Call = { readonly letter: Letter; readonly fault: EventFault | undefined };

/** So long the queue waits for the worker's word before it hands a call out again. */
const ACK_WAIT_MS = 60_000;

export type CallQueue = {
  /** Puts a letter into the queue: 202, or 500 where it cannot be had. */
  readonly publish: Post;
  /** Calls that wait or are made. */
  readonly pending: () => number;
};

/**
 * OpenFaaS' queue and its worker: one call at a time, once, whatever is answered. A call that is longer than ack_wait is made again
 * while it goes on; a worker that starts again makes the one it was at again, after that time, and the others in another order; the queue is
 * in memory.
 */
export const callQueue = ({ post, seed, pause, say, isFaulty }: WayParts): CallQueue => {
  let waiting: readonly Call[] = [];
  let running = 0;
  const call = async ({ letter, fault }: Call, which: string): Promise<void> => {
    const label = `${letter.label}${which}`;
    running += 1;
    try {
      let answer = await post({ ...letter, label }, which === "" ? fault : undefined, { tries: 0 });
      // As for lines: without faults nothing is lost to a busy machine.
      while (!isFaulty() && isTooBusy(answer)) {
        await wait(500);
        answer = await post({ ...letter, label }, undefined, { tries: 0 });
      }
      say(`answer ${label}: ${answer}`);
    } finally {
      running -= 1;
    }
  };
  const turn = async (next: Call): Promise<void> => {
    if (next.fault === "double") {
      await Promise.all([call(next, ""), call(next, " again")]);
      return;
    }
    await call(next, "");
    if (next.fault !== "worker restart") return;
    await pause(ACK_WAIT_MS);
    const middle = whole(seed, `${next.letter.label} middle`, waiting.length + 1);
    waiting = [
      ...waiting.slice(middle),
      { letter: next.letter, fault: undefined },
      ...waiting.slice(0, middle),
    ];
  };
  let isWorking = false;
  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    for (;;) {
      const [next, ...rest] = waiting;
      if (next === undefined) break;
      waiting = rest;
      running += 1;
      await turn(next);
      running -= 1;
    }
    isWorking = false;
  };
  return {
    publish: (letter, fault, { tries }) => {
      if (fault === "queue lost" && tries === 0) {
        say(`the queue is lost, with ${waiting.length} calls`);
        waiting = [];
        return Promise.resolve<Sent>(500);
      }
      waiting = [...waiting, { letter, fault }];
      void work();
      return Promise.resolve<Sent>(202);
    },
    pending: () => waiting.length + running,
  };
};
