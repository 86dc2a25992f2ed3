import { ORPHANED } from "../api/conditions.ts";
import type { Key } from "../api/key.ts";
import { LABEL } from "../api/markers.ts";
import { isGrowing } from "../api/volume-size.ts";
import type { Event, Job, PersistentVolumeClaim, StatefulSet } from "./kinds.ts";
import { isUnbound } from "./read-volumes.ts";
import type { Reader } from "./reader.ts";

/** Children whose events may tell why something is missing. */
type Suspects = {
  readonly PersistentVolumeClaim: readonly PersistentVolumeClaim[];
  readonly StatefulSet: readonly StatefulSet[];
  readonly Job: readonly Job[];
};

const lacksPods = ({ spec, status }: StatefulSet): boolean => (status?.replicas ?? 0) < (spec?.replicas ?? 1);

const isEnded = ({ status }: Job): boolean =>
  status?.conditions?.some(
    ({ type, status: is }) => is === "True" && (type === "Complete" || type === "Failed"),
  ) === true;

const lacksItsPod = (job: Job): boolean => !isEnded(job) && (job.status?.active ?? 0) === 0;

// By uid, so that events of a predecessor with the same name tell nothing.
const selectorsOf = (suspects: Suspects): readonly string[] => [
  ...[...suspects.StatefulSet.filter(lacksPods), ...suspects.Job.filter(lacksItsPod)].map(
    ({ metadata }) => `involvedObject.uid=${metadata?.uid ?? ""},reason=FailedCreate`,
  ),
  ...suspects.PersistentVolumeClaim.filter((claim) => isUnbound(claim) || isGrowing(claim)).map(
    ({ metadata }) => `involvedObject.uid=${metadata?.uid ?? ""}`,
  ),
];

/** Events that tell why a StatefulSet or Job has no pod or why a claim is not bound or does not grow; none is read where nothing is missing. */
export const readEvents = async (
  reader: Reader,
  namespace: string,
  suspects: Suspects,
): Promise<readonly Event[]> => {
  const lists = selectorsOf(suspects).map((fieldSelector) =>
    reader.list("Event", namespace, { fieldSelector }),
  );
  return (await Promise.all(lists)).flat();
};

/** What was told of orphans already, in one list; none is read where there is no orphan. Events last an hour. */
export const readOrphanEvents = async (
  reader: Reader,
  { namespace, name }: Key,
  orphans: readonly unknown[],
): Promise<readonly Event[]> =>
  orphans.length === 0
    ? []
    : reader.list("Event", namespace, {
        labelSelector: `${LABEL.database}=${name}`,
        fieldSelector: `reason=${ORPHANED}`,
      });
