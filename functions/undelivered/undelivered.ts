import { UNDELIVERED } from "../shared/api/conditions.ts";
import type { SampleDB } from "../shared/api/sampledb.ts";
import type { Action } from "../shared/kube/action.ts";
import { eventName } from "../shared/kube/event-name.ts";
import { newEvent } from "../shared/kube/new-event.ts";
import { reconcileFunction } from "../shared/kube/reconcile-function.ts";
import type { ReconcileFunction } from "../shared/kube/reconcile-function.ts";
import type { Letter } from "./letter.ts";

const NAME = "undelivered";

const messageOf = ({ to, code }: Letter): string => {
  const [who, whose] = to === "unknown" ? ["a function", "that function"] : [to, to];
  const why = code === "none" ? "did not answer" : `answered ${code}`;
  return [
    `An event about this SampleDB, or about something of it, was given up: ${who} ${why} each time.`,
    `The next sweep looks at everything again. If it goes on, the log of ${whose} says why.`,
  ].join(" ");
};

const eventOn = (sampledb: SampleDB, letter: Letter, now: Date): Action => {
  const { name = "", namespace = "", uid = "" } = sampledb.metadata;
  return newEvent(NAME, {
    // One for each function and answer, as long as an Event lasts: neither a doubled letter nor a thousand others make it two.
    name: eventName(name, [uid, UNDELIVERED, letter.to, letter.code]),
    about: { apiVersion: sampledb.apiVersion, kind: sampledb.kind, namespace, name, uid },
    type: "Warning",
    reason: UNDELIVERED,
    message: messageOf(letter),
    now,
  });
};

/**
 * Tells by an Event on the SampleDB that a function did not take an event about it. It writes nothing else, and nothing that is watched, so it wakes nobody: a
 * letter leads to no other. Of a SampleDB that is gone there is nothing to tell.
 */
export const undelivered = (letter: Letter): ReconcileFunction =>
  reconcileFunction({
    name: NAME,
    reads: [],
    plan: ({ sampledb }, { now }) => (sampledb === undefined ? [] : [eventOn(sampledb, letter, now)]),
  });
