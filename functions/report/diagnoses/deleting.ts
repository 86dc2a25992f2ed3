import { FINALIZER } from "../../shared/api/markers.ts";
import { REASON } from "../../shared/api/conditions.ts";
import type { ObjectMeta } from "../../shared/api/sampledb.ts";
import type { Diagnosis } from "../finding.ts";
import { sentence } from "../log-lines.ts";
import { type Situation, isOwn } from "../situation.ts";

type Labelled = { readonly metadata?: ObjectMeta };

const named = (kind: string, objects: readonly Labelled[]): readonly string[] =>
  objects.map(({ metadata }) => {
    const holders = metadata?.deletionTimestamp === undefined ? [] : (metadata.finalizers ?? []);
    const held = holders.length === 0 ? "" : ` (held by finalizer ${holders.join(", ")})`;
    return `${kind} ${metadata?.name ?? ""}${held}`;
  });

/** What has to be gone before the SampleDB can go, with what holds it. */
export const awaitedAtDeletion = ({ sampledb, spec, objects }: Situation): readonly string[] => {
  const own = <T extends Labelled>(all: readonly T[]): readonly T[] =>
    all.filter((object) => isOwn(sampledb, object));
  const owners = new Set(
    [...own(objects.StatefulSet), ...own(objects.Job)].map(({ metadata }) => metadata?.uid),
  );
  const pods = objects.Pod.filter(
    ({ metadata }) =>
      metadata?.deletionTimestamp !== undefined ||
      (metadata?.ownerReferences ?? []).some(({ uid }) => owners.has(uid)),
  );
  const isWipe = spec.deletion.policy === "Wipe";
  return [
    ...named("StatefulSet", own(objects.StatefulSet)),
    ...named("Job", own(objects.Job)),
    ...named("Pod", pods),
    ...named("PersistentVolumeClaim", isWipe ? own(objects.PersistentVolumeClaim) : []),
    ...named(
      "finalizer",
      (sampledb.metadata.finalizers ?? [])
        .filter((finalizer) => finalizer !== FINALIZER)
        .map((name) => ({ metadata: { name } })),
    ),
  ];
};

/** The SampleDB is being deleted: what is awaited, and what the deletion policy leaves. */
export const deleting: Diagnosis = (situation) => {
  const { sampledb, spec, refused } = situation;
  if (sampledb.metadata.deletionTimestamp === undefined) return undefined;
  const awaited = awaitedAtDeletion(situation);
  const refusal = refused.find(({ by }) => by === "retire");
  const fate =
    spec.deletion.policy === "Wipe"
      ? "The policy Wipe removes the data."
      : "The policy Retain keeps volume and Secrets.";
  const waits = awaited.length === 0 ? "" : ` Waiting for the end of: ${awaited.join(", ")}.`;
  const refusalText =
    refusal === undefined
      ? ""
      : ` The API server refuses to change ${refusal.object}: ${sentence(refusal.message)} It is tried again.`;
  return {
    reason: REASON.deleting,
    message: `${fate}${waits}${refusalText}`,
    severity: refusal === undefined ? "progress" : "stall",
    stage: "provision",
  };
};
