import assert from "node:assert/strict";

import type { Condition, SampleDB, SampleDBStatus } from "../../../functions/shared/api/sampledb.ts";
import type { Action } from "../../../functions/shared/kube/action.ts";
import { planReport } from "../../../functions/report/plan-report.ts";
import { makeStatefulSet } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { type Change, makeContext, makeObserved, makePodWith } from "./make-observed.ts";

export const planFor = (change: Change = {}): readonly Action[] =>
  planReport(makeObserved(change), makeContext(change.context));

/** The SampleDB after the planned write of its status, as the API server merges it. */
export const written = (change: Change, before: SampleDB = makeSampleDB()): SampleDB => {
  const [action] = planFor({ ...change, sampledb: before });
  if (action === undefined) return before;
  assert.equal(action.do, "merge");
  const patch = action.patch["status"];
  assert.ok(typeof patch === "object" && patch !== null);
  const fields = Object.entries({ ...before.status, ...patch }).filter(([, value]) => value !== null);
  const status: SampleDBStatus = Object.fromEntries(fields);
  return { ...before, status };
};

export const conditionsOf = (sampledb: SampleDB): Readonly<Record<string, Condition>> =>
  Object.fromEntries((sampledb.status?.conditions ?? []).map((condition) => [condition.type, condition]));

export const summary = (sampledb: SampleDB): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(conditionsOf(sampledb)).map(([type, { status, reason }]) => [type, `${status} ${reason}`]),
  );

export const eventsOf = (actions: readonly Action[]): readonly string[] =>
  actions.flatMap((action) =>
    action.do === "create" && action.object.kind === "Event"
      ? [`${action.object.type ?? ""} ${action.object.reason ?? ""}`]
      : [],
  );

export const badImage: Change = {
  objects: {
    StatefulSet: [makeStatefulSet({ status: { replicas: 1, observedGeneration: 1 } })],
    Pod: [makePodWith({ state: { waiting: { reason: "ImagePullBackOff", message: "not found" } } })],
  },
};

export const starting: Change = {
  objects: {
    StatefulSet: [makeStatefulSet({ status: { replicas: 1, observedGeneration: 1 } })],
    Pod: [makePodWith({ state: { waiting: { reason: "ContainerCreating" } } })],
  },
};
