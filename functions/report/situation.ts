import type { Catalog } from "../shared/api/catalog.ts";
import { type ChildNames, childNames } from "../shared/api/child-names.ts";
import { completeSpec } from "../shared/api/complete-spec.ts";
import { ANNOTATION } from "../shared/api/markers.ts";
import type { CompleteSpec, ObjectMeta, SampleDB } from "../shared/api/sampledb.ts";
import { type VolumeFacts, areCredentialsVerified, currentClaim, volumeFacts } from "../shared/api/volume.ts";
import { credentialsDigest } from "../shared/kube/credentials-digest.ts";
import type { Job, PersistentVolumeClaim, Pod, StatefulSet } from "../shared/kube/kinds.ts";
import type { Observed } from "../shared/kube/observed.ts";
import type { PlanContext, RefusedWrite } from "../shared/kube/reconcile-function.ts";
import { initPodOf, primaryOf } from "./pods.ts";

/** Kinds that `report` reads. */
export type ReportReads =
  | "Secret"
  | "ConfigMap"
  | "Service"
  | "PersistentVolumeClaim"
  | "StatefulSet"
  | "PodDisruptionBudget"
  | "Job"
  | "Pod"
  | "StorageClass"
  | "Event"
  | "InitSource";

/** One SampleDB and what the cluster shows of it, arranged for the diagnoses. */
export type Situation = {
  readonly sampledb: SampleDB;
  readonly spec: CompleteSpec;
  readonly names: ChildNames;
  readonly catalog: Catalog;
  readonly now: Date;
  /** Writes of other functions that were refused in this pass. */
  readonly refused: readonly RefusedWrite[];
  readonly objects: Observed<ReportReads>["objects"];
  /** The current claim, whoever owns it. */
  readonly claim: PersistentVolumeClaim | undefined;
  readonly volume: VolumeFacts | undefined;
  readonly statefulSet: StatefulSet | undefined;
  /** The database's pod, the newest one where there are several. */
  readonly primary: Pod | undefined;
  readonly initJob: Job | undefined;
  readonly initPod: Pod | undefined;
};

type Labelled = { readonly metadata?: ObjectMeta };

/** Whether a child carries this SampleDB's uid. */
export const isOwn = (sampledb: SampleDB, { metadata }: Labelled): boolean =>
  sampledb.metadata.uid !== undefined &&
  metadata?.annotations?.[ANNOTATION.ownerUid] === sampledb.metadata.uid;

export const situationOf = (
  sampledb: SampleDB,
  objects: Situation["objects"],
  { catalog, now, refused }: Pick<PlanContext, "catalog" | "now" | "refused">,
): Situation => {
  const names = childNames(sampledb.metadata.name ?? "");
  const claim = currentClaim(objects.PersistentVolumeClaim);
  const initJob = objects.Job.find((job) => job.metadata?.name === names.initJob && isOwn(sampledb, job));
  return {
    sampledb,
    spec: completeSpec(sampledb, catalog),
    names,
    catalog,
    now,
    refused,
    objects,
    claim,
    volume: claim?.metadata === undefined ? undefined : volumeFacts(claim.metadata),
    statefulSet: objects.StatefulSet.find(
      (set) => set.metadata?.name === names.statefulSet && isOwn(sampledb, set),
    ),
    primary: primaryOf(objects.Pod),
    initJob,
    initPod: initPodOf(objects.Pod, initJob),
  };
};

export const isBound = (claim: PersistentVolumeClaim | undefined): boolean =>
  claim?.status?.phase === "Bound";

/** Whether the current claim belongs to this SampleDB (already). */
export const isOwnClaim = ({ sampledb, claim }: Situation): boolean =>
  claim !== undefined && isOwn(sampledb, claim);

/** Whether everything ran that runs once, and this SampleDB's own credentials were tried with success. */
export const isInitDone = (situation: Situation): boolean => {
  const { volume, sampledb, names, objects } = situation;
  return (
    isOwnClaim(situation) &&
    volume?.isInitialized === true &&
    volume.initScripts !== undefined &&
    areCredentialsVerified(volume, sampledb.metadata.uid, credentialsDigest(names, objects.Secret))
  );
};
