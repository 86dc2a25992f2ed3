import type { ObjectMeta } from "../shared/api/sampledb.ts";
import { type Situation, isOwn } from "./situation.ts";

/** A child that has to exist; the database is of no use without an essential one. */
export type Part = { readonly name: string; readonly isEssential: boolean };

type Labelled = { readonly metadata?: ObjectMeta };

/** The children that are not there, or not this SampleDB's. */
export const missingParts = ({ sampledb, names, objects, claim }: Situation): readonly Part[] => {
  const part = (kind: string, name: string, found: readonly Labelled[], isEssential: boolean) =>
    found.some((object) => object.metadata?.name === name && isOwn(sampledb, object))
      ? []
      : [{ name: `${kind} ${name}`, isEssential }];
  const claimName = claim?.metadata?.name ?? names.claim;
  return [
    part("Secret", names.secret, objects.Secret, true),
    part("Secret", names.superuserSecret, objects.Secret, true),
    part("ConfigMap", names.configMap, objects.ConfigMap, false),
    part("Service", names.service, objects.Service, true),
    part("Service", names.headlessService, objects.Service, false),
    part("PersistentVolumeClaim", claimName, objects.PersistentVolumeClaim, true),
    part("StatefulSet", names.statefulSet, objects.StatefulSet, true),
    part("PodDisruptionBudget", names.podDisruptionBudget, objects.PodDisruptionBudget, false),
  ].flat();
};
