import type { Event, Job, PersistentVolumeClaim, StatefulSet } from "./kinds.ts";
import { isUnbound } from "./read-volumes.ts";
import type { Reader } from "./reader.ts";

/** Children whose events may tell why something is missing. */
type Suspects = {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly statefulSets: readonly StatefulSet[];
  readonly jobs: readonly Job[];
};

const lacksPods = ({ spec, status }: StatefulSet): boolean => (status?.replicas ?? 0) < (spec?.replicas ?? 1);

const isEnded = ({ status }: Job): boolean =>
  status?.conditions?.some(
    ({ type, status: is }) => is === "True" && (type === "Complete" || type === "Failed"),
  ) === true;

const lacksItsPod = (job: Job): boolean => !isEnded(job) && (job.status?.active ?? 0) === 0;

// By uid, so that events of a predecessor with the same name tell nothing.
const selectorsOf = ({ claims, statefulSets, jobs }: Suspects): readonly string[] => [
  ...[...statefulSets.filter(lacksPods), ...jobs.filter(lacksItsPod)].map(
    ({ metadata }) => `involvedObject.uid=${metadata?.uid ?? ""},reason=FailedCreate`,
  ),
  ...claims.filter(isUnbound).map(({ metadata }) => `involvedObject.uid=${metadata?.uid ?? ""}`),
];

/** Events that tell why a StatefulSet or Job has no pod or why a claim is not bound; none is read where nothing is missing. */
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
