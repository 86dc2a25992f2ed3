import type { PersistentVolume, PersistentVolumeClaim } from "../shared/kube/kinds.ts";

/** The PersistentVolume that a claim is bound to, proved from both sides: by name from the claim, by uid from the volume. */
export const volumeOf = (
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined =>
  volumes.find(
    ({ metadata, spec }) =>
      metadata?.name !== undefined &&
      metadata.name === claim.spec?.volumeName &&
      claim.metadata?.uid !== undefined &&
      spec?.claimRef?.uid === claim.metadata.uid,
  );
