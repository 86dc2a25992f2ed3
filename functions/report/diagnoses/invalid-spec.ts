import { REASON } from "../../shared/api/conditions.ts";
import { violationText } from "../../shared/api/violation.ts";
import { violationsOf } from "../../shared/api/violations-of.ts";
import type { Diagnosis } from "../finding.ts";

/** Rules are broken that admission would have refused: it may have been bypassed. Every violation, in admission's words. */
export const invalidSpec: Diagnosis = ({ sampledb, catalog }) => {
  const violations = violationsOf({ object: sampledb, catalog });
  if (violations.length === 0) return undefined;
  return {
    reason: REASON.invalidSpec,
    message: violations.map(violationText).join("; "),
    severity: "stall",
    stage: "provision",
  };
};
