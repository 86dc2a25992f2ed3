import { setTimeout as wait } from "node:timers/promises";
import type { Letter, Way, WayParts } from "../letter.ts";
import { isTooBusy } from "../sending.ts";

/** One after the other, each until it is taken; what happens to a SampleDB while its event waits is covered by that event. */
export const serially = ({ post, say }: WayParts): Way => {
  const waiting = new Set<string>();
  let last = Promise.resolve();
  let pending = 0;
  const deliver = async (letter: Letter, before: Promise<void>): Promise<void> => {
    await before;
    waiting.delete(letter.key.name);
    for (let tries = 0; isTooBusy(await post(letter, undefined, { tries })); tries += 1) await wait(500);
    say(`answer ${letter.label}`);
    pending -= 1;
  };
  return {
    take: (letter) => {
      if (waiting.has(letter.key.name)) return;
      waiting.add(letter.key.name);
      pending += 1;
      last = deliver(letter, last);
    },
    forget: () => undefined,
    pending: () => pending,
  };
};
