import type { Pod, StatefulSet } from "../shared/kube/kinds.ts";
import { servingOn } from "../shared/kube/serving.ts";
import { missingParts } from "./parts.ts";
import { isEnding, isPodReady } from "./pods.ts";
import { type Situation, isBound, isInitDone } from "./situation.ts";

const REVISION = "controller-revision-hash";

const isRolledOut = ({ status }: StatefulSet): boolean => status?.currentRevision === status?.updateRevision;

const isOfNewestRevision = (pod: Pod, { status }: StatefulSet): boolean =>
  pod.metadata?.labels?.[REVISION] === status?.updateRevision;

/** Whether PostgreSQL answers on the current claim, in a pod of the newest revision: one that is being replaced does not count. */
export const isServing = ({ statefulSet, primary, claim }: Situation): boolean => {
  const name = claim?.metadata?.name;
  if (statefulSet === undefined || primary === undefined || name === undefined) return false;
  return (
    servingOn(name, [statefulSet]) !== undefined &&
    isRolledOut(statefulSet) &&
    isOfNewestRevision(primary, statefulSet) &&
    isPodReady(primary) &&
    !isEnding(primary)
  );
};

/** Whether applications can use the database. */
export const isReady = (situation: Situation): boolean =>
  isServing(situation) &&
  isBound(situation.claim) &&
  isInitDone(situation) &&
  missingParts(situation).every(({ isEssential }) => !isEssential);
