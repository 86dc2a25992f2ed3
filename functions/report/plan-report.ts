import { isDeepStrictEqual } from "node:util";
import type { SampleDB, SampleDBStatus } from "../shared/api/sampledb.ts";
import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { Observed } from "../shared/kube/observed.ts";
import type { PlanContext } from "../shared/kube/reconcile-function.ts";
import { diagnose } from "./diagnose.ts";
import { awaitedAtDeletion } from "./diagnoses/deleting.ts";
import { orphanEvents } from "./orphan-events.ts";
import { type ReportReads, type Situation, situationOf } from "./situation.ts";
import { statusOf } from "./status.ts";
import { transitionEvents } from "./transition-events.ts";

const FIELDS = ["observedGeneration", "conditions", "binding", "version", "endpoint", "storage"] as const;

/** The fields that differ, null where one has to go. */
const statusPatch = (present: SampleDBStatus, wanted: SampleDBStatus): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    FIELDS.filter((field) => !isDeepStrictEqual(present[field], wanted[field])).map((field) => [
      field,
      wanted[field] ?? null,
    ]),
  );

// `retire` lets go of it in this very pass; there is nobody left to tell.
const isAsGoodAsGone = (situation: Situation): boolean =>
  situation.sampledb.metadata.deletionTimestamp !== undefined &&
  situation.refused.length === 0 &&
  awaitedAtDeletion(situation).length === 0;

const writeStatus = (sampledb: SampleDB, status: Readonly<Record<string, unknown>>): Action => ({
  do: "merge",
  ref: refOf("SampleDB", sampledb),
  patch: { status },
  subresource: "status",
});

/**
 * One write of the status where it says something else than before, then an Event for each turn of a condition. Status comes first: an
 * Event that is refused (a quota counts them too) must not keep it from being written. Of a SampleDB that is gone: an Event on each orphan.
 */
export const planReport = (
  { key, sampledb, objects }: Observed<ReportReads>,
  context: Pick<PlanContext, "catalog" | "now" | "refused">,
): readonly Action[] => {
  if (sampledb === undefined) return orphanEvents(key, objects, context.now);
  const situation = situationOf(sampledb, objects, context);
  if (isAsGoodAsGone(situation)) return [];
  const finding = diagnose(situation);
  const status = statusOf(situation, finding);
  const patch = statusPatch(sampledb.status ?? {}, status);
  if (Object.keys(patch).length === 0) return [];
  return [writeStatus(sampledb, patch), ...transitionEvents(sampledb, status, finding, context.now)];
};
