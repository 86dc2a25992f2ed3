import { setTimeout as wait } from "node:timers/promises";
import { chance, pick } from "../chance.ts";
import type { EventFault } from "../faults.ts";
import type { Letter, WayParts } from "../letter.ts";
import type { Profile } from "../profiles.ts";
import { type Sent, sendBy } from "../sending.ts";

export type FanOutParts = WayParts & {
  readonly trigger: NonNullable<Profile["trigger"]>;
  readonly paths: readonly string[];
  /** What the source hears when a Broker's pod ends meanwhile. */
  readonly lost: Profile["answers"]["lost"];
  /** Counts what goes on after its sender gave up. */
  readonly track: (work: () => Promise<unknown>) => void;
};

type Once = (letter: Letter, fault: EventFault | undefined, tries: number) => Promise<Sent>;

const isTaken = (sent: Sent): boolean => sent !== "network error" && sent < 300;

/**
 * A Broker with a channel in memory: every Trigger sends to its function until it is taken or no send is left, all at once, and only then
 * the source is answered: 202, or 500 where one of them had no success and nobody takes what is dead. A fault befalls one of the Triggers.
 */
export const fanOut = (parts: FanOutParts): Once => {
  const { post, seed, trigger, paths, pause, say, isFaulty, track, lost } = parts;
  const toOne = async (letter: Letter, fault: EventFault | undefined, path: string): Promise<boolean> => {
    const own = { ...letter, label: `${letter.label} ${path}` };
    const send = (): Promise<readonly Sent[]> =>
      sendBy(trigger, (tries) => post(own, fault, { tries, path }), pause);
    let answers = await send();
    // As for lines: without faults nothing is lost.
    while (!isFaulty() && trigger.isRetried(answers.at(-1) ?? 0)) {
      await wait(500);
      answers = await send();
    }
    say(`answer ${own.label}: ${answers.join(", ")}`);
    return trigger.hasDeadLetter || isTaken(answers.at(-1) ?? 0);
  };
  const goesTo = (letter: Letter, path: string): boolean =>
    trigger.kinds?.get(path.slice(1))?.has(letter.event.headers["ce-kind"] ?? "") ?? true;
  return async (letter, fault, tries) => {
    const label = `${letter.label} ${tries}`;
    const [first, ...rest] = paths.filter((path) => goesTo(letter, path));
    if (first === undefined) return 202;
    const called = [first, ...rest];
    const chosen = pick(seed, `${label} trigger`, [first, ...rest]);
    const isBrokers = fault === "lost answer";
    const all = Promise.all(
      called.map((path) =>
        toOne(letter, !isBrokers && tries === 0 && path === chosen ? fault : undefined, path),
      ),
    );
    if (isBrokers && tries === 0) {
      // The channel ends, before or after all of them are through.
      if (chance(seed, `${label} late`) < 0.5) await all;
      else track(() => all);
      return pick(seed, label, lost);
    }
    return (await all).every(Boolean) ? 202 : 500;
  };
};
