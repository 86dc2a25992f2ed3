import { REASON } from "../../shared/api/conditions.ts";
import type { Pod } from "../../shared/kube/kinds.ts";
import type { Diagnosis } from "../finding.ts";
import { sentence } from "../log-lines.ts";

/** So long a cluster that scales itself may take before somebody is asked to act, milliseconds. */
const PATIENCE = 60_000;

// With immediate binding every pod is unschedulable for a moment; the diagnoses of the claim tell why it lasts.
const WAITS_FOR_CLAIM = "unbound immediate PersistentVolumeClaims";

// The scheduler adds what it tried besides, which changes from try to try and helps nobody.
const BESIDES = / (?:no new claims to deallocate|preemption:).*$/su;

const unscheduledOf = (pod: Pod | undefined) =>
  pod?.status?.conditions?.find(
    ({ type, status, reason, message }) =>
      type === "PodScheduled" &&
      status === "False" &&
      reason === "Unschedulable" &&
      message?.includes(WAITS_FOR_CLAIM) !== true,
  );

/** No node takes the pod. */
export const unschedulable: Diagnosis = ({ primary, initPod, now }) => {
  for (const [pod, stage] of [[primary, "database"] as const, [initPod, "init"] as const]) {
    const condition = unscheduledOf(pod);
    if (condition !== undefined) {
      const since = Date.parse(condition.lastTransitionTime ?? "");
      return {
        reason: REASON.unschedulable,
        message:
          `No node takes Pod ${pod?.metadata?.name ?? ""}: ${sentence((condition.message ?? "no cause is given").replace(BESIDES, ""))} ` +
          "Add room to the cluster or lower spec.resources.",
        severity: now.getTime() - since < PATIENCE ? "trouble" : "stall",
        stage,
      };
    }
  }
  return undefined;
};
