import { LABEL } from "../shared/api/markers.ts";
import type { Action } from "../shared/kube/action.ts";
import { refOf } from "../shared/kube/drift.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import type { Subject } from "./subject.ts";

const isKept = ({ metadata, spec }: PersistentVolume, subject: Subject): boolean =>
  spec?.persistentVolumeReclaimPolicy === "Retain" &&
  metadata?.labels?.[LABEL.database] === subject.name &&
  metadata.labels[LABEL.namespace] === subject.namespace;

/** Keeps the volume of each claim, even when its claim or whole namespace goes, and writes on it where it belongs. */
export const planVolumes = (
  subject: Subject,
  claims: readonly PersistentVolumeClaim[],
  volumes: readonly PersistentVolume[],
): readonly Action[] =>
  claims
    .flatMap((claim) => volumes.filter(({ spec }) => spec?.claimRef?.uid === claim.metadata?.uid))
    .filter((volume) => !isKept(volume, subject))
    .map((volume) => ({
      do: "merge",
      ref: refOf("PersistentVolume", volume),
      patch: {
        metadata: { labels: { [LABEL.database]: subject.name, [LABEL.namespace]: subject.namespace } },
        spec: { persistentVolumeReclaimPolicy: "Retain" },
      },
    }));
