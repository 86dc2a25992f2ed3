import { REASON } from "../../shared/api/conditions.ts";
import type { Finding } from "../finding.ts";
import { sentence } from "../log-lines.ts";

/** What it means that `object` was refused with `text`, by the API server's own words. */
export const refusal = (object: string, text: string, stage: Finding["stage"]): Finding => {
  const isQuota = text.includes("exceeded quota");
  return {
    reason: isQuota ? REASON.quotaExceeded : REASON.createRefused,
    message: `${object}: ${sentence(text)} ${
      isQuota
        ? "Raise the ResourceQuota of this namespace, or lower spec.resources or spec.storage.size; it is tried again by itself."
        : "Change what refuses it; it is tried again by itself."
    }`,
    severity: "stall",
    stage,
  };
};
