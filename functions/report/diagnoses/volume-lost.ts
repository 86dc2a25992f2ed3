import { REASON } from "../../shared/api/conditions.ts";
import type { PersistentVolumeClaim } from "../../shared/kube/kinds.ts";
import type { Diagnosis, Finding } from "../finding.ts";
import { type Situation, isOwn, isOwnClaim } from "../situation.ts";

const lost = (message: string): Finding => ({
  reason: REASON.volumeLost,
  message,
  severity: "stall",
  stage: "provision",
});

const START_ANEW =
  "or delete this SampleDB with spec.deletion.policy Wipe and create it again to begin with an empty database.";

const hadData = ({ sampledb, objects, names }: Situation): boolean =>
  objects.ConfigMap.some(
    (map) =>
      map.metadata?.name === names.configMap && isOwn(sampledb, map) && map.data?.["initialized"] === "true",
  );

/** How a claim says that it holds this SampleDB's data. */
const marks = ({ sampledb, spec }: Situation): string =>
  [
    `label sampledb.dev/database=${sampledb.metadata.name ?? ""}`,
    "annotations sampledb.dev/state=active",
    "sampledb.dev/initialized=true",
    `sampledb.dev/version=${sampledb.status?.version ?? spec.version}`,
    `sampledb.dev/owner-uid=${sampledb.metadata.uid ?? ""}`,
  ].join(", ");

const claimGone = (situation: Situation): string =>
  `PersistentVolumeClaim ${situation.names.claim} is gone, and it held the data. Its PersistentVolume was set to Retain ` +
  `(kubectl get pv -l sampledb.dev/database=${situation.sampledb.metadata.name ?? ""}): remove that one's spec.claimRef and bind a claim of that name to it, ` +
  `with ${marks(situation)}; ${START_ANEW}`;

const volumeGone = (claim: string, volume: string): string =>
  `PersistentVolume ${volume} of PersistentVolumeClaim ${claim} is gone. Bring it back, ${START_ANEW}`;

const claimGoing = (claim: string, volume: string): string =>
  `PersistentVolumeClaim ${claim} is being deleted and ends with the pod that uses it; a deletion cannot be taken back. ` +
  `Dump the data now. PersistentVolume ${volume} outlives it if its reclaim policy is Retain.`;

const endOf = (claim: PersistentVolumeClaim): string | undefined => {
  const name = claim.metadata?.name ?? "";
  const volume = claim.spec?.volumeName ?? "";
  if (claim.status?.phase === "Lost") return volumeGone(name, volume);
  return claim.metadata?.deletionTimestamp === undefined ? undefined : claimGoing(name, volume);
};

/** There was a database, and its claim is gone, going, or has lost its volume. A new one is never begun in its place. */
export const volumeLost: Diagnosis = (situation) => {
  if (situation.claim === undefined) return hadData(situation) ? lost(claimGone(situation)) : undefined;
  if (!isOwnClaim(situation)) return undefined;
  const end = endOf(situation.claim);
  return end === undefined ? undefined : lost(end);
};
