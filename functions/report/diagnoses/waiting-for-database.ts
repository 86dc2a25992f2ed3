import { REASON } from "../../shared/api/conditions.ts";
import type { Diagnosis } from "../finding.ts";
import { sentence } from "../log-lines.ts";
import { containersOf } from "../pods.ts";
import { isServing } from "../readiness.ts";
import type { Situation } from "../situation.ts";

const ORDINARY: ReadonlySet<string | undefined> = new Set([
  undefined,
  "ContainerCreating",
  "PodInitializing",
]);

const detailOf = ({ primary }: Situation): string | undefined => {
  const waiting = containersOf(primary)
    .map(({ state }) => state?.waiting)
    .find((state) => !ORDINARY.has(state?.reason));
  return waiting === undefined
    ? undefined
    : sentence([waiting.reason, waiting.message].filter((text) => text !== undefined).join(": "));
};

/** The pod is being made, started, or replaced. */
export const waitingForDatabase: Diagnosis = (situation) => {
  if (isServing(situation)) return undefined;
  const pod = situation.primary?.metadata?.name ?? `${situation.names.statefulSet}-0`;
  const detail = detailOf(situation);
  return {
    reason: REASON.waitingForDatabase,
    message: `Waiting for PostgreSQL in Pod ${pod} to answer.${detail === undefined ? "" : ` ${detail}`}`,
    severity: "progress",
    stage: "database",
  };
};
