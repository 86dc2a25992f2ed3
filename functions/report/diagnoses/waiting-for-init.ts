import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { sentence, tellingLine } from "../log-lines.ts";
import { isInitDone } from "../situation.ts";
import { initEnd } from "./init-end.ts";

/** PostgreSQL runs; role, database and scripts are being made, or the credentials tried. */
export const waitingForInit: Diagnosis = (situation) => {
  if (isInitDone(situation)) return undefined;
  const line = tellingLine(initEnd(situation)?.message);
  return {
    reason: REASON.waitingForInit,
    message: `Waiting for Job ${situation.names.initJob}.${line === undefined ? "" : ` Its last try ended with: ${sentence(line)}`}`,
    severity: "progress",
    stage: "init",
  };
};
