import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { sentence } from "../log-lines.ts";
import { newestEvent } from "./newest-event.ts";

// Events stay for an hour: whether the class exists now was seen before this is asked.
const CLASS_NOT_FOUND = /^storageclass\S* "[^"]*" not found/u;

/** The StorageClass's provisioner cannot make the volume. */
export const volumeProvisioningFailed: Diagnosis = ({ claim, objects }) => {
  if (claim === undefined || claim.status?.phase === "Bound") return undefined;
  // The controller repeats "waiting for the provisioner" between the failures, so the newest of these counts, not of all.
  const failures = objects.Event.filter(
    ({ reason, message }) => reason === "ProvisioningFailed" && !CLASS_NOT_FOUND.test(message ?? ""),
  );
  const failure = newestEvent(failures, claim, ["ProvisioningFailed"]);
  if (failure === undefined) return undefined;
  return {
    reason: REASON.volumeProvisioningFailed,
    message:
      `PersistentVolumeClaim ${claim.metadata?.name ?? ""} gets no volume: ${sentence(failure.message ?? "no cause is given")} ` +
      `Repair StorageClass ${claim.spec?.storageClassName ?? ""} or its provisioner; it is tried again by itself.`,
    severity: "stall",
    stage: "provision",
  };
};
