import { setTimeout as wait } from "node:timers/promises";
import type { EventFault } from "../faults.ts";
import type { At, Letter, Way, WayParts } from "../letter.ts";
import { type Sending, type Sent, sendBy } from "../sending.ts";

export type LinesParts = WayParts & {
  readonly lines: "one a kind" | "free";
  readonly sending: Sending;
};

/** Where the next one of a line has to wait. */
class Line {
  #last: Promise<void> = Promise.resolve();

  after(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }
}

/** Each letter is sent, and sent again by a table; of a kind one after the other, in order, or all at once. */
export const inLines = ({ post, pause, say, isFaulty, lines, sending }: LinesParts): Way => {
  const all = new Map<string, Line>();
  let pending = 0;
  let era = 0;
  const send = async (letter: Letter, fault: EventFault | undefined, to?: At["to"]): Promise<void> => {
    const once = (): Promise<readonly Sent[]> =>
      sendBy(sending, (tries) => post(letter, fault, { tries, to }), pause);
    let answers = await once();
    // A few tries in a fraction of the time are over before a busy machine has had its turn: without faults nothing is lost.
    while (!isFaulty() && sending.isRetried(answers.at(-1) ?? 0)) {
      await wait(500);
      answers = await once();
    }
    say(`answer ${letter.label}: ${answers.join(", ")}`);
  };
  const lineOf = (name: string): Line => {
    const known = all.get(name) ?? new Line();
    all.set(name, known);
    return known;
  };
  const track = async (work: () => Promise<void>): Promise<void> => {
    pending += 1;
    await work().finally(() => {
      pending -= 1;
    });
  };
  return {
    take: (letter, fault, to) => {
      const mine = era;
      const work = (): Promise<void> =>
        mine === era ? send(letter, fault, to) : Promise.resolve(say(`forgotten ${letter.label}`));
      void track(() => (lines === "free" || to !== undefined ? work() : lineOf(letter.line).after(work)));
    },
    forget: () => {
      era += 1;
    },
    pending: () => pending,
  };
};
