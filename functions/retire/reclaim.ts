import { ANNOTATION } from "../shared/api/markers.ts";
import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import type { Scene } from "./scene.ts";
import { volumeOf } from "./volume-of.ts";

/** The volumes of these claims. */
const volumesOf = (scene: Scene, claims: readonly PersistentVolumeClaim[]): readonly PersistentVolume[] =>
  claims.map((claim) => volumeOf(claim, scene.volumes)).filter((volume) => volume !== undefined);

const merge = (volume: PersistentVolume, patch: Readonly<Record<string, unknown>>): Action => ({
  do: "merge",
  ref: refOf("PersistentVolume", volume),
  patch,
});

/** Sets the reclaim policy of the volumes of these claims to Retain, where it is another. */
export const keep = (scene: Scene, claims: readonly PersistentVolumeClaim[]): readonly Action[] =>
  volumesOf(scene, claims)
    .filter(({ spec }) => spec?.persistentVolumeReclaimPolicy !== "Retain")
    .map((volume) => merge(volume, { spec: { persistentVolumeReclaimPolicy: "Retain" } }));

/**
 * Sets the reclaim policy of the volumes of these claims to Delete, and writes on each who gives it up. It is written on one that has that
 * policy already, too: a pass of `provision` that read the volume while the SampleDB still lived would make it Retain, perhaps after the
 * claim is gone and nobody sets it back. After this write that pass's patch is a conflict.
 */
export const giveUp = (scene: Scene, claims: readonly PersistentVolumeClaim[]): readonly Action[] => {
  const { uid } = scene.sampledb.metadata;
  return volumesOf(scene, claims)
    .filter(
      ({ metadata, spec }) =>
        spec?.persistentVolumeReclaimPolicy !== "Delete" || metadata?.annotations?.[ANNOTATION.wiped] !== uid,
    )
    .map((volume) =>
      merge(volume, {
        metadata: { annotations: { [ANNOTATION.wiped]: uid } },
        spec: { persistentVolumeReclaimPolicy: "Delete" },
      }),
    );
};
