import { completeSpec } from "../shared/api/complete-spec.ts";
import type { Catalog } from "../shared/api/catalog.ts";
import { ANNOTATION } from "../shared/api/markers.ts";
import type { CompleteSpec, ObjectMeta, SampleDB } from "../shared/api/sampledb.ts";
import type {
  ConfigMap,
  Job,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
} from "../shared/kube/kinds.ts";
import type { Observed } from "../shared/kube/observed.ts";
import { podsOf } from "./pods-of.ts";

/** Kinds that `retire` reads. */
export type RetireReads =
  | "Secret"
  | "ConfigMap"
  | "Service"
  | "PersistentVolumeClaim"
  | "PersistentVolume"
  | "StatefulSet"
  | "PodDisruptionBudget"
  | "Job"
  | "Pod";

/** A SampleDB that is being deleted and what is left of its children: only objects that are proved to be its own. */
export type Scene = {
  readonly sampledb: SampleDB;
  readonly spec: CompleteSpec;
  readonly secrets: readonly Secret[];
  readonly configMaps: readonly ConfigMap[];
  readonly services: readonly Service[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  readonly statefulSets: readonly StatefulSet[];
  readonly jobs: readonly Job[];
  readonly pods: readonly Pod[];
  readonly claims: readonly PersistentVolumeClaim[];
  /** Every PersistentVolume that was read; `volumeOf` finds a claim's. */
  readonly volumes: readonly PersistentVolume[];
};

/** What is there of a terminating SampleDB. Objects with its label but another owner's uid are nobody's to remove, so they are left out. */
export const sceneOf = (
  sampledb: SampleDB,
  objects: Observed<RetireReads>["objects"],
  catalog: Catalog,
): Scene => {
  const { uid } = sampledb.metadata;
  const isOwn = ({ metadata }: { readonly metadata?: ObjectMeta }): boolean =>
    uid !== undefined && metadata?.annotations?.[ANNOTATION.ownerUid] === uid;
  return {
    sampledb,
    spec: completeSpec(sampledb, catalog),
    secrets: objects.Secret.filter(isOwn),
    configMaps: objects.ConfigMap.filter(isOwn),
    services: objects.Service.filter(isOwn),
    podDisruptionBudgets: objects.PodDisruptionBudget.filter(isOwn),
    statefulSets: objects.StatefulSet.filter(isOwn),
    jobs: objects.Job.filter(isOwn),
    pods: podsOf(objects, isOwn),
    claims: objects.PersistentVolumeClaim.filter(isOwn),
    volumes: objects.PersistentVolume,
  };
};
