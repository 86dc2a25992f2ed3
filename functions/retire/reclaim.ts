import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import type { Scene } from "./scene.ts";
import { volumeOf } from "./volume-of.ts";

/** Sets the reclaim policy of the volumes of these claims, where it is another. */
export const reclaim = (
  scene: Scene,
  claims: readonly PersistentVolumeClaim[],
  policy: "Retain" | "Delete",
): readonly Action[] =>
  claims
    .map((claim) => volumeOf(claim, scene.volumes))
    .filter((volume) => volume !== undefined)
    .filter(({ spec }) => spec?.persistentVolumeReclaimPolicy !== policy)
    .map((volume) => ({
      do: "merge",
      ref: refOf("PersistentVolume", volume),
      patch: { spec: { persistentVolumeReclaimPolicy: policy } },
    }));
