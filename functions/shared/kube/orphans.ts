import { ANNOTATION, LABEL } from "../api/markers.ts";
import type { ObjectMeta } from "../api/sampledb.ts";
import type { PersistentVolumeClaim, Secret, StatefulSet } from "./kinds.ts";

type Left = {
  readonly PersistentVolumeClaim: readonly PersistentVolumeClaim[];
  readonly Secret: readonly Secret[];
  readonly StatefulSet: readonly StatefulSet[];
};

/** An object that outlived its SampleDB, and nobody meant it to. */
export type Orphan =
  | { readonly kind: "PersistentVolumeClaim"; readonly object: PersistentVolumeClaim }
  | { readonly kind: "Secret"; readonly object: Secret }
  | { readonly kind: "StatefulSet"; readonly object: StatefulSet };

// A user's own Secret may have the label, so that its changes are noticed; what we made says for which SampleDB.
const isLeft = ({ metadata }: { readonly metadata?: ObjectMeta }): boolean =>
  metadata?.annotations?.[ANNOTATION.ownerUid] !== undefined &&
  metadata.labels?.[LABEL.retained] !== "true" &&
  metadata.deletionTimestamp === undefined;

/** Of the labelled objects of a SampleDB that is gone, those that nobody kept on purpose and that nobody is removing. */
export const orphansIn = (left: Left): readonly Orphan[] => [
  ...left.StatefulSet.filter(isLeft).map((object) => ({ kind: "StatefulSet" as const, object })),
  ...left.PersistentVolumeClaim.filter(isLeft).map((object) => ({
    kind: "PersistentVolumeClaim" as const,
    object,
  })),
  ...left.Secret.filter(isLeft).map((object) => ({ kind: "Secret" as const, object })),
];
