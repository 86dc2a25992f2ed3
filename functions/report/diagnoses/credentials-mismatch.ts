import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { saidAfter, sentence } from "../log-lines.ts";
import type { Situation } from "../situation.ts";
import { initEnd } from "./init-end.ts";

/** Exit code of the init Job where the database refuses a Secret's password. */
const REFUSED = 65;

// The init Job says which role was refused and which Secret holds its password.
const adviceOf = (log: string | undefined, { secret, superuserSecret }: Situation["names"]): string => {
  const said = saidAfter(log, "sampledb: credentials-mismatch:");
  return said === undefined
    ? `Put the passwords that the data was made with into Secret ${secret} and Secret ${superuserSecret} (key password).`
    : sentence(said);
};

/** The Secrets do not open the data that is there. */
export const credentialsMismatch: Diagnosis = (situation) => {
  const end = initEnd(situation);
  if (end?.exitCode !== REFUSED) return undefined;
  const claim = situation.volume?.claim ?? "";
  return {
    reason: REASON.credentialsMismatch,
    message: `The credentials do not fit the data on PersistentVolumeClaim ${claim}. ${adviceOf(end.message, situation.names)} It is tried again when the Secret changes, or when you delete Job ${situation.names.initJob} after you gave the role that password.`,
    severity: "stall",
    stage: "init",
  };
};
