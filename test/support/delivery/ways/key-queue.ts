import { KeyQueue } from "../../../../functions/source/key-queue.ts";
import { keyText } from "../../../../functions/shared/api/key.ts";
import type { Key } from "../../../../functions/shared/api/key.ts";
import { backOffMs } from "../../../../functions/shared/serve/back-off.ts";
import { deliveryOf } from "../../../../functions/shared/serve/delivery-of.ts";
import { chance } from "../chance.ts";
import type { EventFault } from "../faults.ts";
import type { Letter, Way, WayParts } from "../letter.ts";
import { Ordinals } from "../trace.ts";

type Due = { readonly letter: Letter; readonly fault: EventFault | undefined; tries: number };

/** As deployed. */
const CONCURRENCY = 8;
const REST_MS = 100;

/** The real queue of `source`, with what it does by chance decided by the seed. A fault of an event befalls the delivery that covers it. */
export const inKeyQueue = ({ post, seed, pause, say }: WayParts): Way => {
  const due = new Map<string, Due>();
  const ordinals = new Ordinals();
  let sending = 0;
  const deliver = async (key: Key): Promise<ReturnType<typeof deliveryOf>> => {
    const id = keyText(key);
    const next = due.get(id);
    if (next === undefined) return "delivered";
    sending += 1;
    try {
      const { tries } = next;
      next.tries += 1;
      const answer = await post(next.letter, next.fault, { tries });
      say(`answer ${next.letter.label} (${tries}): ${answer}`);
      const delivery = answer === "network error" ? "again" : deliveryOf(answer);
      if (delivery !== "again" && due.get(id) === next) due.delete(id);
      return delivery;
    } finally {
      sending -= 1;
    }
  };
  const fresh = (): KeyQueue =>
    new KeyQueue({
      deliver,
      concurrency: CONCURRENCY,
      restMs: REST_MS,
      wait: pause,
      backOffMs: (failures) =>
        backOffMs(failures, () => chance(seed, `back-off ${ordinals.next("back-off")}`)),
    });
  let queue = fresh();
  return {
    take: (letter, fault) => {
      const id = keyText(letter.key);
      const known = due.get(id);
      // What waits keeps its fault; what is being sent is followed by this one.
      if (known === undefined || known.fault === undefined || known.tries > 0)
        due.set(id, { letter, fault, tries: 0 });
      queue.add(letter.key);
    },
    forget: () => {
      void queue.stop();
      due.clear();
      queue = fresh();
    },
    pending: () => sending + queue.size,
  };
};
