import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { sentence } from "../log-lines.ts";
import { containersOf } from "../pods.ts";

const REASONS: ReadonlySet<string | undefined> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
]);

// The kubelet alternates between the error and "Back-off …: ErrImagePull: <the error>"; one text for both is one status write.
const causeOf = (message: string | undefined): string =>
  (message ?? "").replace(/^Back-off pulling image "[^"]*"(?:: )?(?:ErrImagePull: )?/u, "");

/** A container's image cannot be had. */
export const imagePullFailed: Diagnosis = ({ primary, initPod }) => {
  for (const [pod, stage] of [[primary, "database"] as const, [initPod, "init"] as const]) {
    const container = containersOf(pod).find(({ state }) => REASONS.has(state?.waiting?.reason));
    if (container !== undefined) {
      const cause = causeOf(container.state?.waiting?.message);
      return {
        reason: REASON.imagePullFailed,
        message:
          `Image ${container.image} cannot be pulled${cause === "" ? "." : `: ${sentence(cause)}`} ` +
          "Correct spec.image (or the catalog's image), or make it available to the node.",
        severity: "stall",
        stage,
      };
    }
  }
  return undefined;
};
