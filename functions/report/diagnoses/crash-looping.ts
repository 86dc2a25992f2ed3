import { REASON } from "../../shared/api/conditions.ts";
import type { Pod } from "../../shared/kube/kinds.ts";
import type { Diagnosis } from "../finding.ts";
import { sentence, tellingLine } from "../log-lines.ts";
import { containersOf, lastEnd } from "../pods.ts";
import type { Situation } from "../situation.ts";

type Container = ReturnType<typeof containersOf>[number];

// Between two crashes the container runs; it has not left the loop before its startup probe succeeded.
const isLooping = (container: Container): boolean =>
  container.state?.waiting?.reason === "CrashLoopBackOff" ||
  (container.started !== true && container.restartCount >= 2 && (lastEnd(container)?.exitCode ?? 0) !== 0);

const whatToDo = (pod: Pod, container: Container, { sampledb, spec }: Situation): string =>
  lastEnd(container)?.reason === "OOMKilled"
    ? `It needs more memory than ${spec.resources.limits["memory"] ?? "it may have"}: raise spec.resources.limits.memory.`
    : `More with: kubectl logs -n ${sampledb.metadata.namespace ?? ""} ${pod.metadata?.name ?? ""} --previous`;

/** PostgreSQL ends again and again; with the log line that tells why. */
export const crashLooping: Diagnosis = (situation) => {
  const { primary } = situation;
  const container = containersOf(primary).find(isLooping);
  if (primary === undefined || container === undefined) return undefined;
  const end = lastEnd(container);
  const line = tellingLine(end?.message) ?? end?.reason;
  return {
    reason: REASON.crashLooping,
    message:
      `PostgreSQL ends again and again (exit code ${end?.exitCode ?? "unknown"})${line === undefined ? "." : `: ${sentence(line)}`} ` +
      whatToDo(primary, container, situation),
    severity: "stall",
    stage: "database",
  };
};
