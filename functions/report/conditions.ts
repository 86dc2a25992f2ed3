import { CONDITION, REASON } from "../shared/api/conditions.ts";
import { ANNOTATION } from "../shared/api/markers.ts";
import type { Condition } from "../shared/api/sampledb.ts";
import type { Finding } from "./finding.ts";
import { type Growth, growthOf } from "./growth.ts";
import { missingParts } from "./parts.ts";
import { type Situation, isBound, isInitDone, isOwnClaim } from "./situation.ts";

/** A condition before it is compared with the one that is there. */
export type Claimed = Pick<Condition, "type" | "status" | "reason" | "message">;

/** Longest message that the schema takes. */
const LIMIT = 32_768;

const SEE_STALLED = "Nothing goes on: see Stalled.";

const say = (type: string, status: boolean, reason: string, message: string): Claimed => ({
  type,
  status: status ? "True" : "False",
  reason,
  message: message.slice(0, LIMIT),
});

/** Whether `provision`, of which this process may know nothing else, still has to carry this spec out. A missing StatefulSet is told as such. */
const isAwaited = ({ sampledb, statefulSet }: Situation): boolean =>
  statefulSet !== undefined &&
  statefulSet.metadata?.annotations?.[ANNOTATION.generation] !== `${sampledb.metadata.generation ?? 0}`;

const isUnreported = ({ sampledb: { status, metadata } }: Situation): boolean =>
  status?.observedGeneration !== undefined && status.observedGeneration !== metadata.generation;

/** Whether the spec changed since the last report, so that what carries it out may only just have been written, or is not carried out yet. */
export const isNewGeneration = (situation: Situation): boolean =>
  !situation.spec.paused && (isUnreported(situation) || isAwaited(situation));

const ready = ({ spec, volume, sampledb }: Situation, finding: Finding | undefined): Claimed => {
  if (finding !== undefined) return say(CONDITION.ready, false, finding.reason, finding.message);
  const { name = "", namespace = "" } = sampledb.metadata;
  return say(
    CONDITION.ready,
    true,
    REASON.databaseReady,
    `PostgreSQL ${volume?.version ?? spec.version} answers at ${name}.${namespace}.svc:5432.`,
  );
};

const work = (isUnderWay: boolean, reason: string, message: string): Claimed =>
  say(CONDITION.reconciling, isUnderWay, reason, message);

/** What is still to be done, although the database can be used. */
const remaining = (situation: Situation): Claimed => {
  if (isNewGeneration(situation)) {
    const { generation = "" } = situation.sampledb.metadata;
    return work(true, REASON.provisioning, `Carrying out generation ${generation}.`);
  }
  const missing = missingParts(situation).map(({ name }) => name);
  if (missing.length > 0) return work(true, REASON.provisioning, `Waiting for ${missing.join(", ")}.`);
  const growth = growthOf(situation);
  if (growth === undefined) return work(false, REASON.upToDate, "Everything is as the spec says.");
  return growth.severity === "stall"
    ? work(false, growth.reason, SEE_STALLED)
    : work(true, growth.reason, growth.message);
};

const reconciling = (situation: Situation, finding: Finding | undefined): Claimed => {
  if (finding?.severity === "stall") return work(false, finding.reason, SEE_STALLED);
  if (situation.spec.paused && finding?.reason !== REASON.deleting) {
    return work(false, REASON.paused, "spec.paused is true: changes are not carried out.");
  }
  return finding === undefined ? remaining(situation) : work(true, finding.reason, finding.message);
};

// A volume that cannot grow stalls nothing but itself: only where that is all that remains, since what is at work is not stalled (kstatus).
const stallOf = (situation: Situation, finding: Finding | undefined): Finding | Growth | undefined => {
  if (finding !== undefined) return finding.severity === "stall" ? finding : undefined;
  const growth = growthOf(situation);
  return growth?.severity === "stall" && reconciling(situation, finding).reason === growth.reason
    ? growth
    : undefined;
};

const stalled = (situation: Situation, finding: Finding | undefined): Claimed => {
  const stall = stallOf(situation, finding);
  return stall === undefined
    ? say(CONDITION.stalled, false, REASON.notStalled, "There is nothing that you must do.")
    : say(CONDITION.stalled, true, stall.reason, stall.message);
};

// A claim older than its SampleDB was there before: status says so for as long as both exist.
const isAdopted = ({ sampledb, claim }: Situation): boolean =>
  (claim?.metadata?.creationTimestamp ?? "") < (sampledb.metadata.creationTimestamp ?? "");

const provisioned = (situation: Situation, finding: Finding | undefined): Claimed => {
  const { claim } = situation;
  const missing = missingParts(situation).map(({ name }) => name);
  const name = claim?.metadata?.name ?? "";
  if (missing.length === 0 && isBound(claim) && isOwnClaim(situation)) {
    const message = isAdopted(situation)
      ? `Every child exists; PersistentVolumeClaim ${name} is an adopted existing volume.`
      : `Every child exists; PersistentVolumeClaim ${name} is bound.`;
    return say(CONDITION.provisioned, true, REASON.provisioned, message);
  }
  if (finding !== undefined && finding.stage !== "init") {
    return say(CONDITION.provisioned, false, finding.reason, finding.message);
  }
  return say(CONDITION.provisioned, false, REASON.provisioning, `Waiting for ${missing.join(", ")}.`);
};

const initialized = (situation: Situation, finding: Finding | undefined): Claimed => {
  if (isInitDone(situation)) {
    const message =
      situation.volume?.initScripts === "none"
        ? "Role and database exist, and the Secrets open them."
        : "Role and database exist, the Secrets open them, and every init script ran.";
    return say(CONDITION.initialized, true, REASON.initialized, message);
  }
  return finding?.stage === "init"
    ? say(CONDITION.initialized, false, finding.reason, finding.message)
    : say(
        CONDITION.initialized,
        false,
        REASON.waitingForDatabase,
        "The database has to run first: see Ready.",
      );
};

/** What there is to say, in the order in which kubectl describe shows it. kstatus reads Reconciling and Stalled: never both True. */
export const claimedConditions = (situation: Situation, finding: Finding | undefined): readonly Claimed[] => [
  ready(situation, finding),
  reconciling(situation, finding),
  stalled(situation, finding),
  provisioned(situation, finding),
  initialized(situation, finding),
];
