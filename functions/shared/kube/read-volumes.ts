import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "./kinds.ts";
import type { Reader } from "./reader.ts";

/** Whether a claim has no volume yet, or lost it. */
export const isUnbound = (claim: PersistentVolumeClaim): boolean => claim.status?.phase !== "Bound";

/** The volumes that the claims are bound to. */
export const readPersistentVolumes = async (
  reader: Reader,
  claims: readonly PersistentVolumeClaim[],
): Promise<readonly PersistentVolume[]> => {
  const names = claims.map(({ spec }) => spec?.volumeName ?? "").filter((name) => name !== "");
  const found = await Promise.all(names.map((name) => reader.get("PersistentVolume", name, undefined)));
  return found.filter((volume) => volume !== undefined);
};

/** Every StorageClass, while a claim waits for one. */
export const readStorageClasses = async (
  reader: Reader,
  claims: readonly PersistentVolumeClaim[],
): Promise<readonly StorageClass[]> =>
  claims.some(isUnbound) ? reader.list("StorageClass", undefined, {}) : [];
