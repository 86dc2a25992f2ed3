import { LABEL } from "../shared/api/markers.ts";
import { asksForLess } from "../shared/api/volume-size.ts";
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

/** Asks for the size that the spec wants where the volume's claim asks for less. Of a claim without a volume nothing may be changed. */
export const planGrowth = (subject: Subject, claim: PersistentVolumeClaim | undefined): readonly Action[] => {
  if (claim?.status?.phase !== "Bound" || claim.metadata?.deletionTimestamp !== undefined) return [];
  const { size } = subject.spec.storage;
  if (!asksForLess(claim, size)) return [];
  const patch = { spec: { resources: { requests: { storage: size } } } };
  return [{ do: "merge", ref: refOf("PersistentVolumeClaim", claim), patch }];
};
