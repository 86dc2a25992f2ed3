import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { missingParts } from "../parts.ts";
import { type Situation, isBound, isOwnClaim } from "../situation.ts";

const awaited = (situation: Situation): string | undefined => {
  const { claim, volume } = situation;
  const name = volume?.claim ?? "";
  if (claim !== undefined && !isOwnClaim(situation)) {
    return `Adopting PersistentVolumeClaim ${name}, an existing volume.`;
  }
  const missing = missingParts(situation).filter(({ isEssential }) => isEssential);
  if (missing.length > 0) return `Waiting for ${missing.map((part) => part.name).join(", ")}.`;
  return isBound(claim) ? undefined : `Waiting for a volume for PersistentVolumeClaim ${name}.`;
};

/** What the database needs is not all there yet. */
export const provisioning: Diagnosis = (situation) => {
  const message = awaited(situation);
  return message === undefined
    ? undefined
    : { reason: REASON.provisioning, message, severity: "progress", stage: "provision" };
};
