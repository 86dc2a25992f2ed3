import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { containersOf, lastEnd } from "../pods.ts";

/** Exit code of start.sh for an empty volume that must hold data. */
const BLANK = 64;

/** There was a database on the volume, and now the volume is empty; the start script refuses to begin a new one. */
export const volumeBlank: Diagnosis = ({ primary, claim }) => {
  if (!containersOf(primary).some((container) => lastEnd(container)?.exitCode === BLANK)) return undefined;
  return {
    reason: REASON.volumeBlank,
    message:
      `The volume of PersistentVolumeClaim ${claim?.metadata?.name ?? ""} held a database and is empty now; nothing was written to it. ` +
      "Bring the data back into it, or delete this SampleDB with spec.deletion.policy Wipe and create it again to begin with an empty database.",
    severity: "stall",
    stage: "database",
  };
};
