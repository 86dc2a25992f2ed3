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
import { planVolumes } from "./plan-volume.ts";
import type { World } from "./world.ts";
import { podDisruptionBudget } from "./pod-disruption-budget.ts";
import { passwordIn } from "./secrets.ts";
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
const planClaim = (
  subject: Subject,
  claims: readonly PersistentVolumeClaim[],
  isLost: boolean,
): readonly Action[] =>
  isLost || named(claims, subject.names.claim) !== undefined
    ? []
    : [{ do: "create", object: claim(subject) }];

/** Writes on the claim that a database was seen running on it: from now on its volume is never initialised again. */
const planInitializedMark = (current: PersistentVolumeClaim, objects: Objects): readonly Action[] => {
  const { claim: name, isInitialized } = volumeFacts(current.metadata ?? {});
  if (isInitialized || servingOn(name, objects.StatefulSet) === undefined) return [];
  const patch = { metadata: { annotations: { [ANNOTATION.initialized]: "true" } } };
  return [{ do: "merge", ref: refOf("PersistentVolumeClaim", current), patch }];
};

/** The StatefulSet, once the claim and the superuser's password were seen to be this SampleDB's own. */
const planStatefulSet = (
  subject: Subject,
  objects: Objects,
  facts: VolumeFacts,
  context: PlanContext,
): readonly Action[] => {
  const version = facts.version ?? subject.spec.version;
  const image = subject.spec.image ?? context.catalog.images[version];
  const password = passwordIn(named(objects.Secret, subject.names.superuserSecret));
  if (image === undefined || (password === undefined && !facts.isInitialized)) return [];
  return applied(objects.StatefulSet, statefulSet(subject, { claim: facts.claim, version, image }));
};

/** The plan for a SampleDB whose volume is its own or not there yet. Data and credentials come first: a refused write ends the pass. */
export const planChildren = (subject: Subject, objects: Objects, context: PlanContext): readonly Action[] => {
  const current = currentClaim(objects.PersistentVolumeClaim);
  const facts = current === undefined ? undefined : volumeFacts(current.metadata ?? {});
  const isInitialized = hasData(subject, facts, named(objects.ConfigMap, subject.names.configMap));
  return [
    ...planSecrets(subject, objects.Secret, isInitialized ? undefined : context.newPassword),
    ...(current === undefined
      ? planClaim(subject, objects.PersistentVolumeClaim, isInitialized)
      : planInitializedMark(current, objects)),
    ...planVolumes(subject, current === undefined ? [] : [current], objects.PersistentVolume),
    ...applied(objects.ConfigMap, configMap(subject, isInitialized)),
    ...applied(objects.Service, headlessService(subject)),
    ...applied(objects.Service, service(subject)),
    ...applied(objects.PodDisruptionBudget, podDisruptionBudget(subject)),
    ...(facts === undefined ? [] : planStatefulSet(subject, objects, facts, context)),
  ];
};
