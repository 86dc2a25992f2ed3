import { remove } from "../remove.ts";
import type { Step } from "../step.ts";

/**
 * Ends StatefulSet and Jobs and waits until their pods are gone: nothing writes to the volume after that. Pods that have an owner
 * go with it (garbage collection); those that an orphan deletion left behind are deleted here, each with its grace period.
 */
export const stopDatabase: Step = ({ statefulSets, jobs, pods }) => {
  if (statefulSets.length + jobs.length > 0) {
    return [...remove("StatefulSet", statefulSets), ...remove("Job", jobs)];
  }
  if (pods.length === 0) return "done";
  return remove(
    "Pod",
    pods.filter(({ metadata }) => (metadata?.ownerReferences ?? []).length === 0),
  );
};
