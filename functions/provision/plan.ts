import { FINALIZER } from "../shared/api/markers.ts";
import type { SampleDB } from "../shared/api/sampledb.ts";
import { violationsOf } from "../shared/api/violations-of.ts";
import { currentClaim } from "../shared/api/volume.ts";
import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { PlanContext } from "../shared/kube/reconcile-function.ts";
import { judgeFound, planAdoption } from "./plan-adoption.ts";
import { planChildren } from "./plan-children.ts";
import { type Subject, subjectOf } from "./subject.ts";
import type { World } from "./world.ts";

const planFinalizer = (sampledb: SampleDB): readonly Action[] => {
  const finalizers = sampledb.metadata.finalizers ?? [];
  if (finalizers.includes(FINALIZER)) return [];
  const patch = { metadata: { finalizers: [...finalizers, FINALIZER] } };
  return [{ do: "merge", ref: refOf("SampleDB", sampledb), patch }];
};

const planOnVolume = (
  subject: Subject,
  objects: World["objects"],
  context: PlanContext,
): readonly Action[] => {
  const claim = currentClaim(objects.PersistentVolumeClaim);
  const found = claim === undefined ? "own" : judgeFound(subject, claim, objects.Secret);
  if (found === "own") return planChildren(subject, objects, context);
  return found === "adopt" && claim !== undefined ? planAdoption(subject, claim, objects.Secret) : [];
};

/** Everything that a living, valid SampleDB needs to run, as far as it is not there yet. Empty at the fixed point. */
export const plan = ({ sampledb, objects }: World, context: PlanContext): readonly Action[] => {
  if (sampledb === undefined || sampledb.metadata.deletionTimestamp !== undefined) return [];
  // Admission may have been bypassed: an object that it would have refused is left alone.
  if (violationsOf({ object: sampledb, catalog: context.catalog }).length > 0) return [];
  const subject = subjectOf(sampledb, context.catalog);
  if (subject.spec.paused) return [];
  // Before the first child, in a pass of its own: a child without it would outlive a deletion.
  const finalizer = planFinalizer(sampledb);
  return finalizer.length > 0 ? finalizer : planOnVolume(subject, objects, context);
};
