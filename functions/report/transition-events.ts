import { CONDITION, REASON } from "../shared/api/conditions.ts";
import type { Condition, SampleDB, SampleDBStatus } from "../shared/api/sampledb.ts";
import type { Action } from "../shared/kube/action.ts";
import { eventName } from "../shared/kube/event-name.ts";
import { newEvent } from "../shared/kube/new-event.ts";
import type { Finding } from "./finding.ts";

const presentOf = (sampledb: SampleDB, type: string): Condition | undefined =>
  sampledb.status?.conditions?.find((condition) => condition.type === type);

const hasTurned = (sampledb: SampleDB, { type, status, reason }: Condition): boolean => {
  const before = presentOf(sampledb, type);
  return before?.status !== status || before.reason !== reason;
};

// Ready tells every cause; of the concerns it is news only when they are done, and of a volume
// that it cannot grow: the database is ready all the same.
const isNews = ({ type, status, reason }: Condition): boolean =>
  type === CONDITION.ready ||
  (type === CONDITION.stalled && status === "True" && reason === REASON.volumeResizeFailed) ||
  (status === "True" && (type === CONDITION.provisioned || type === CONDITION.initialized));

const eventOf = (sampledb: SampleDB, condition: Condition, isWarning: boolean, now: Date): Action => {
  const { name = "", namespace = "", uid = "" } = sampledb.metadata;
  const { reason, message } = condition;
  // Told once by doubled passes, which turn from the same state; told again when it happens again later.
  const from = presentOf(sampledb, condition.type)?.lastTransitionTime ?? "";
  return newEvent("report", {
    name: eventName(name, [uid, reason, message, from]),
    about: { apiVersion: sampledb.apiVersion, kind: sampledb.kind, namespace, name, uid },
    type: isWarning ? "Warning" : "Normal",
    reason,
    message,
    now,
  });
};

/** Events for the conditions of `next` whose status or reason is not what the SampleDB's status says now, and which tell some news. */
export const transitionEvents = (
  sampledb: SampleDB,
  next: SampleDBStatus,
  finding: Finding | undefined,
  now: Date,
): readonly Action[] => {
  // A namespace that is being deleted lets nothing be created, and its SampleDBs are being deleted too.
  if (sampledb.metadata.deletionTimestamp !== undefined) return [];
  const isWarning = ({ type, status }: Condition): boolean =>
    type === CONDITION.stalled ||
    (status !== "True" && finding !== undefined && finding.severity !== "progress");
  // That a new one is not ready yet and that somebody is at it: who created it knows.
  const isBeginning = ({ type, status }: Condition): boolean =>
    status !== "True" && finding?.severity === "progress" && presentOf(sampledb, type) === undefined;
  return (next.conditions ?? [])
    .filter((condition) => isNews(condition) && hasTurned(sampledb, condition) && !isBeginning(condition))
    .map((condition) => eventOf(sampledb, condition, isWarning(condition), now));
};
