import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { isReady } from "../readiness.ts";

/** Nothing is wrong, but nothing is done either. */
export const paused: Diagnosis = (situation) =>
  !situation.spec.paused || isReady(situation)
    ? undefined
    : {
        reason: REASON.paused,
        message:
          "spec.paused is true, so nothing is made or changed, and the database is not ready. Set it to false to go on.",
        severity: "progress",
        stage: "provision",
      };
