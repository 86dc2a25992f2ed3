import type { Way, WayParts } from "../letter.ts";
import { pathsOf } from "../paths-of.ts";
import type { Plan } from "../plan.ts";
import { callQueue } from "./call-queue.ts";
import { fanOut } from "./fan-out.ts";
import { inKeyQueue } from "./key-queue.ts";
import { inLines } from "./lines.ts";

/** The same way, of which the pending is more. */
const withMore = (way: Way, more: () => number): Way => ({ ...way, pending: () => way.pending() + more() });

/** The way of a plan's profile. */
export const wayOf = ({ profile, lines }: Plan, parts: WayParts): Way => {
  const { way, sending, trigger, answers } = profile;
  if (way === "key queue") return inKeyQueue(parts);
  if (way === "call queue") {
    const queue = callQueue(parts);
    return withMore(inKeyQueue({ ...parts, post: queue.publish }), queue.pending);
  }
  if (trigger === undefined) return inLines({ ...parts, lines, sending });
  let apart = 0;
  const track = (work: () => Promise<unknown>): void => {
    apart += 1;
    void work().finally(() => {
      apart -= 1;
    });
  };
  const toAll = fanOut({ ...parts, trigger, paths: pathsOf(profile), lost: answers.lost, track });
  const post: WayParts["post"] = (letter, fault, { tries }) => toAll(letter, fault, tries);
  return withMore(inLines({ ...parts, post, lines, sending }), () => apart);
};
