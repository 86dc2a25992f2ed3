import { REASON } from "../../shared/api/conditions.ts";
import type { Finding } from "../finding.ts";
import { sentence } from "../log-lines.ts";

// A volume cannot shrink, and only the database's pod has resources that the spec sets.
const WAYS_ROUND: { readonly [kind: string]: string } = {
  PersistentVolumeClaim: ", or create the SampleDB anew with a smaller spec.storage.size",
  StatefulSet: ", or lower spec.resources",
};

const underQuota = (object: string): string =>
  `Raise the ResourceQuota of this namespace${WAYS_ROUND[object.split(" ")[0] ?? ""] ?? ""}; it is tried again by itself.`;

const wayOut = (object: string, text: string): string => {
  if (text.includes("exceeded quota")) return underQuota(object);
  return text.includes("exists already")
    ? "It is tried again by itself."
    : "Change what refuses it; it is tried again by itself.";
};

/** What it means that `object` was refused with `text`, by the API server's own words. */
export const refusal = (object: string, text: string, stage: Finding["stage"]): Finding => {
  return {
    reason: text.includes("exceeded quota") ? REASON.quotaExceeded : REASON.createRefused,
    message: `${object}: ${sentence(text)} ${wayOut(object, text)}`,
    severity: "stall",
    stage,
  };
};
