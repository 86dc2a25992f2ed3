import { REASON } from "../../shared/api/conditions.ts";
import type { Finding } from "../finding.ts";
import { sentence } from "../log-lines.ts";

// A volume's size cannot be changed later, and only the database's pod has resources that the spec sets.
const WAYS_ROUND: { readonly [kind: string]: string } = {
  PersistentVolumeClaim: ", or create the SampleDB anew with a smaller spec.storage.size",
  StatefulSet: ", or lower spec.resources",
};

const underQuota = (object: string): string =>
  `Raise the ResourceQuota of this namespace${WAYS_ROUND[object.split(" ")[0] ?? ""] ?? ""}; it is tried again by itself.`;

/** What it means that `object` was refused with `text`, by the API server's own words. */
export const refusal = (object: string, text: string, stage: Finding["stage"]): Finding => {
  const isQuota = text.includes("exceeded quota");
  return {
    reason: isQuota ? REASON.quotaExceeded : REASON.createRefused,
    message: `${object}: ${sentence(text)} ${isQuota ? underQuota(object) : "Change what refuses it; it is tried again by itself."}`,
    severity: "stall",
    stage,
  };
};
