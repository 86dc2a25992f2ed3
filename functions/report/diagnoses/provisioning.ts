import { REASON } from "../../shared/api/conditions.ts";
import type { PersistentVolumeClaim } from "../../shared/kube/kinds.ts";
import type { Diagnosis } from "../finding.ts";
import { missingParts } from "../parts.ts";
import { type Situation, isBound, isOwnClaim } from "../situation.ts";

/** Making the children takes a moment; after this long, milliseconds, something is in the way. */
const USUAL = 60_000;

// "Already exists" is success to the pass that creates, and an object without our label is not listed: nothing else tells of it.
const hintAfter = ({ sampledb, now }: Situation): string =>
  now.getTime() - Date.parse(sampledb.metadata.creationTimestamp ?? "") < USUAL
    ? ""
    : " If an object of that name without the label sampledb.dev/database is there, it is in the way: remove or rename it.";

const adoption = ({ metadata }: PersistentVolumeClaim): string =>
  metadata?.deletionTimestamp === undefined
    ? `Adopting PersistentVolumeClaim ${metadata?.name ?? ""}, an existing volume.`
    : `Waiting for the end of PersistentVolumeClaim ${metadata.name ?? ""}, which is being deleted.`;

const awaited = (situation: Situation): string | undefined => {
  const { claim, names } = situation;
  if (claim !== undefined && !isOwnClaim(situation)) return adoption(claim);
  const missing = missingParts(situation).filter(({ isEssential }) => isEssential);
  if (missing.length > 0) {
    return `Waiting for ${missing.map((part) => part.name).join(", ")}.${hintAfter(situation)}`;
  }
  const name = claim?.metadata?.name ?? names.claim;
  return isBound(claim) ? undefined : `Waiting for a volume for PersistentVolumeClaim ${name}.`;
};

/** What the database needs is not all there yet. */
export const provisioning: Diagnosis = (situation) => {
  const message = awaited(situation);
  return message === undefined
    ? undefined
    : { reason: REASON.provisioning, message, severity: "progress", stage: "provision" };
};
