import { chance, pick, whole } from "./chance.ts";
import type { EventFault } from "./faults.ts";
import type { GateKeeper } from "./gate-keeper.ts";
import type { Instance, Instances } from "./instance.ts";
import type { At, Letter, Post } from "./letter.ts";
import { type Plan, instanceOf } from "./plan.ts";
import type { Trace } from "./trace.ts";

export type PosterOptions = {
  readonly plan: Plan;
  readonly instances: Instances;
  readonly gateKeeper: GateKeeper;
  readonly trace: Trace;
  /** `serial`: all to one instance. */
  readonly mode: "faulty" | "serial";
};

/** What functions answer, whatever happens: done, or that the API server cannot be used. */
const OWN_ANSWERS = new Set([204, 503]);

/** How many sends there are at most, from one to the next. */
const sendsOf = ({ profile: { sending, trigger, way } }: Plan): number =>
  way === "key queue" ? 6 : (trigger ?? sending).pausesMs.length + 1;

/** Sends letters to instances as the seed says, with the faults of a single send. */
export const poster = ({ plan, instances, gateKeeper, trace, mode }: PosterOptions): Post => {
  const { seed } = plan;
  const { gateway, dead, lost } = plan.profile.answers;
  const sends = sendsOf(plan);

  /** Which instance gets a try of a letter: as a Service would, any. */
  const instanceFor = (label: string, { tries, to }: At): Instance =>
    instances[mode === "serial" ? 0 : (to ?? instanceOf(plan, `${label} to ${tries}`))];

  const harm = (instance: Instance, { key, label }: Letter, fault: EventFault | undefined): void => {
    if (fault === "dead") instance.kill();
    if (fault === "kill") gateKeeper.setTrap(instance, key.name, label);
  };

  return async (letter, fault, at) => {
    const { label, event } = letter;
    const { tries, path } = at;
    const instance = instanceFor(label, at);
    if (fault === "gateway" && tries <= whole(seed, `${label} gateway`, sends)) {
      return pick(seed, `${label} gateway ${tries}`, gateway);
    }
    if (tries === 0) harm(instance, letter, fault);
    if (!instance.isUp && chance(seed, `${label} down ${tries}`) < 0.5) {
      // What stands before a dead function answers for it.
      return pick(seed, `${label} answered ${tries}`, dead);
    }
    const answer = await instance.send(event, path);
    // Whatever the faults are: what a source sends is never malformed, and anything else is taken for something that it is not by somebody.
    if (answer !== "network error" && !OWN_ANSWERS.has(answer)) trace.refused.push(`${answer}: ${label}`);
    return fault === "lost answer" && tries === 0 ? pick(seed, label, lost) : answer;
  };
};
