import { ANNOTATION } from "../shared/api/markers.ts";
import { type VolumeFacts, currentClaim, volumeFacts } from "../shared/api/volume.ts";
import type { Action, Writable } from "../shared/kube/action.ts";
import { drifted, refOf, withAppliedHash } from "../shared/kube/drift.ts";
import type { ConfigMap, PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import type { PlanContext } from "../shared/kube/reconcile-function.ts";
import { servingOn } from "../shared/kube/serving.ts";
import { claim } from "./claim.ts";
import { INITIALIZED_KEY, configMap } from "./config-map.ts";
import { headlessService } from "./headless-service.ts";
import { planSecrets } from "./plan-secrets.ts";
import { planGrowth, planVolumes } from "./plan-volume.ts";
import type { World } from "./world.ts";
import { podDisruptionBudget } from "./pod-disruption-budget.ts";
import { service } from "./service.ts";
import { statefulSet } from "./stateful-set.ts";
import type { Subject } from "./subject.ts";

type Objects = World["objects"];
type Named = {
  readonly metadata?: { readonly name?: string; readonly uid?: string; readonly deletionTimestamp?: string };
};

const named = <T extends Named>(objects: readonly T[], name: string): T | undefined =>
  objects.find(({ metadata }) => metadata?.name === name);

/** Server-side apply where something is missing or differs; an object on its way out is waited for. */
const applied = (found: readonly Parameters<typeof drifted>[0][], object: Writable): readonly Action[] => {
  const observed = found.find(({ metadata }) => metadata?.name === object.metadata?.name);
  if (observed?.metadata?.deletionTimestamp !== undefined) return [];
  if (observed !== undefined && !drifted(observed, object)) return [];
  return [{ do: "apply", object: withAppliedHash(object), uid: observed?.metadata?.uid }];
};

/** Whether data was seen on this SampleDB's volume: its claim says so or, when that is gone, the ConfigMap still does. */
const hasData = (
  { uid }: Subject,
  facts: VolumeFacts | undefined,
  settings: ConfigMap | undefined,
): boolean =>
  facts === undefined
    ? settings?.data?.[INITIALIZED_KEY] === "true" &&
      // One that an earlier SampleDB of this name left speaks of a claim that was not this one's.
      settings.metadata?.annotations?.[ANNOTATION.ownerUid] === uid
    : facts.isInitialized;

/** A first claim; never an empty one in the place of one with data, which `report` tells as lost. */
const firstClaim = (
  subject: Subject,
  claims: readonly PersistentVolumeClaim[],
  isLost: boolean,
): Writable | undefined =>
  isLost || named(claims, subject.names.claim) !== undefined ? undefined : claim(subject);

/** Writes on the claim that a database was seen running on it: from now on its volume is never initialised again. */
const planInitializedMark = (current: PersistentVolumeClaim, objects: Objects): readonly Action[] => {
  const { claim: name, isInitialized } = volumeFacts(current.metadata ?? {});
  if (isInitialized || servingOn(name, objects.StatefulSet) === undefined) return [];
  const patch = { metadata: { annotations: { [ANNOTATION.initialized]: "true" } } };
  return [{ do: "merge", ref: refOf("PersistentVolumeClaim", current), patch }];
};

/** The StatefulSet, on a claim that is this SampleDB's own: as it was read, or by having been made just before. */
const planStatefulSet = (
  subject: Subject,
  objects: Objects,
  facts: VolumeFacts,
  context: PlanContext,
): readonly Action[] => {
  const version = facts.version ?? subject.spec.version;
  const image = subject.spec.image ?? context.catalog.images[version];
  return image === undefined
    ? []
    : applied(objects.StatefulSet, statefulSet(subject, { claim: facts.claim, version, image }));
};

/** The claim as it is, or the first one that this plan makes; neither where it would be an empty one in the place of one with data. */
type Claimed = {
  readonly found: PersistentVolumeClaim | undefined;
  readonly first: Writable | undefined;
  /** Writes on the claim, if anything. */
  readonly mark: readonly Action[];
  readonly isInitialized: boolean;
};

const claimedBy = (subject: Subject, objects: Objects): Claimed => {
  const settings = named(objects.ConfigMap, subject.names.configMap);
  const found = currentClaim(objects.PersistentVolumeClaim);
  if (found === undefined) {
    const isInitialized = hasData(subject, undefined, settings);
    const first = firstClaim(subject, objects.PersistentVolumeClaim, isInitialized);
    return { found, first, mark: [], isInitialized };
  }
  const mark = planInitializedMark(found, objects);
  const isInitialized = mark.length > 0 || hasData(subject, volumeFacts(found.metadata ?? {}), settings);
  return { found, first: undefined, mark, isInitialized };
};

/** The plan for a SampleDB whose volume is its own or not there yet. Data and credentials come first: a refused write ends the pass. */
export const planChildren = (subject: Subject, objects: Objects, context: PlanContext): readonly Action[] => {
  const { found, first, mark, isInitialized } = claimedBy(subject, objects);
  const served = (found ?? first)?.metadata;
  return [
    ...planSecrets(subject, objects.Secret, isInitialized ? undefined : context.newPassword),
    ...(first === undefined ? mark : [{ do: "create" as const, object: first }]),
    ...planVolumes(subject, found === undefined ? [] : [found], objects.PersistentVolume),
    ...applied(objects.ConfigMap, configMap(subject, isInitialized)),
    ...applied(objects.Service, headlessService(subject)),
    ...applied(objects.Service, service(subject)),
    ...applied(objects.PodDisruptionBudget, podDisruptionBudget(subject)),
    ...(served === undefined ? [] : planStatefulSet(subject, objects, volumeFacts(served), context)),
    // Last, and after a mark on the claim in a pass of its own: where the class refuses it, nothing else waits.
    ...(mark.length > 0 ? [] : planGrowth(subject, found)),
  ];
};
