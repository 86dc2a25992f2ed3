import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { saidAfter, sentence } from "../log-lines.ts";
import { initEnd } from "./init-end.ts";

/** Exit code of the init Job where the database refuses a Secret's password. */
const REFUSED = 65;

/** The Secrets do not open the data that is there. */
export const credentialsMismatch: Diagnosis = (situation) => {
  const end = initEnd(situation);
  if (end?.exitCode !== REFUSED) return undefined;
  const { names } = situation;
  const said = saidAfter(end.message, "sampledb: credentials-mismatch:");
  return {
    reason: REASON.credentialsMismatch,
    message:
      `The credentials do not fit the data on PersistentVolumeClaim ${situation.volume?.claim ?? ""}${said === undefined ? "." : `: ${sentence(said)}`} ` +
      `Put the passwords that the data was made with into Secret ${names.secret} and Secret ${names.superuserSecret} (key password); then it is tried again.`,
    severity: "stall",
    stage: "init",
  };
};
