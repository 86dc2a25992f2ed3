import { REASON } from "../../shared/api/conditions.ts";
import type { StorageClass } from "../../shared/kube/kinds.ts";
import type { Diagnosis, Finding } from "../finding.ts";
import { isBound } from "../situation.ts";

const DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

const isDefault = ({ metadata }: StorageClass): boolean => metadata?.annotations?.[DEFAULT_CLASS] === "true";

const missing = (message: string): Finding => ({
  reason: REASON.storageClassMissing,
  message,
  severity: "stall",
  stage: "provision",
});

const noDefault = (claim: string): string =>
  `PersistentVolumeClaim ${claim} names no StorageClass and the cluster has no default one. Make a class the default ` +
  `(annotation ${DEFAULT_CLASS}: "true"), or create the SampleDB anew with spec.storage.storageClassName.`;

const notThere = (claim: string, named: string): string =>
  `StorageClass ${named}, which PersistentVolumeClaim ${claim} names, does not exist. Create it, or create the SampleDB anew ` +
  "with a spec.storage.storageClassName from: kubectl get storageclass";

/** The claim waits for a StorageClass that is not there: the one it names, or a default one. */
export const storageClassMissing: Diagnosis = ({ claim, objects }) => {
  if (claim === undefined || isBound(claim)) return undefined;
  const name = claim.metadata?.name ?? "";
  const named = claim.spec?.storageClassName;
  if (named === undefined) {
    return objects.StorageClass.some(isDefault) ? undefined : missing(noDefault(name));
  }
  // The class "" asks for a volume made by hand.
  const isThere = named === "" || objects.StorageClass.some(({ metadata }) => metadata?.name === named);
  return isThere ? undefined : missing(notThere(name, named));
};
