import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis, Finding } from "../finding.ts";
import { saidAfter, sentence, tellingLine } from "../log-lines.ts";
import { type Situation, isInitDone } from "../situation.ts";
import { initEnd } from "./init-end.ts";

/** Exit code of the init Job for an error in a script. */
const SQL_FAILED = 66;

const failed = (message: string): Finding => ({
  reason: REASON.initFailed,
  message,
  severity: "stall",
  stage: "init",
});

const failureOf = ({ initJob }: Situation) =>
  initJob?.status?.conditions?.find(({ type, status }) => type === "Failed" && status === "True");

const scriptFailed = (log: string | undefined): Finding => {
  const said = saidAfter(log, "sampledb: init-failed:") ?? tellingLine(log) ?? "no cause is given";
  return failed(
    `Init script ${sentence(said)} What it did was rolled back. Correct the script where it is; then it is tried again.`,
  );
};

const gaveUp = (situation: Situation, log: string | undefined): Finding | undefined => {
  const failure = failureOf(situation);
  if (failure === undefined) return undefined;
  const cause = tellingLine(log) ?? failure.message ?? failure.reason ?? "no cause is given";
  return failed(
    `The init Job ${situation.names.initJob} gave up: ${sentence(cause)} Remove the cause, then delete that Job; it is made again.`,
  );
};

/** A script failed, with PostgreSQL's own words; or the Job used up its tries. */
export const initFailed: Diagnosis = (situation) => {
  if (isInitDone(situation)) return undefined;
  const end = initEnd(situation);
  return end?.exitCode === SQL_FAILED ? scriptFailed(end.message) : gaveUp(situation, end?.message);
};
