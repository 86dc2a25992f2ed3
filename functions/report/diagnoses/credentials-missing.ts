import { REASON } from "../../shared/api/conditions.ts";
import type { Secret } from "../../shared/kube/kinds.ts";
import type { Diagnosis } from "../finding.ts";

const hasPassword = ({ data }: Secret): boolean => (data?.["password"] ?? "") !== "";

/** There is data, and a Secret that opens it is gone. A new password would not fit, so none is made. */
export const credentialsMissing: Diagnosis = ({ sampledb, volume, names, objects }) => {
  if (volume === undefined || !volume.isInitialized) return undefined;
  const found = new Set(objects.Secret.filter(hasPassword).map(({ metadata }) => metadata?.name));
  const missing = [names.secret, names.superuserSecret].filter((name) => !found.has(name));
  if (missing.length === 0) return undefined;
  const label = `sampledb.dev/database=${sampledb.metadata.name ?? ""}`;
  return {
    reason: REASON.credentialsMissing,
    message:
      `Secret ${missing.join(" and Secret ")} with the credentials of the data on PersistentVolumeClaim ${volume.claim} is missing, ` +
      `or has no label ${label} or no password. Bring it back with its old password (kubectl create secret generic, ` +
      `then kubectl label secret NAME ${label}; the rest is filled in): a new one would not fit the data.`,
    severity: "stall",
    stage: "provision",
  };
};
