import { CONDITION } from "../shared/api/conditions.ts";
import type { Condition, SampleDBStatus } from "../shared/api/sampledb.ts";
import { type Claimed, claimedConditions, isNewGeneration } from "./conditions.ts";
import type { PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import type { Finding } from "./finding.ts";
import { type Situation, isOwn, isOwnClaim } from "./situation.ts";

const timestamp = (now: Date): string => now.toISOString().replace(/\.\d+Z$/u, "Z");

// A spec that is just being carried out is not called ready yet: the condition stays as it was said of the generation before.
const isHeldBack = (situation: Situation, { type, status }: Claimed): boolean =>
  type === CONDITION.ready && status === "True" && isNewGeneration(situation);

const conditionOf = (situation: Situation, claimed: Claimed): Condition => {
  const { sampledb, now } = situation;
  const present = sampledb.status?.conditions?.find(({ type }) => type === claimed.type);
  if (present !== undefined && isHeldBack(situation, claimed)) return present;
  const { generation } = sampledb.metadata;
  return {
    ...claimed,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    lastTransitionTime: present?.status === claimed.status ? present.lastTransitionTime : timestamp(now),
  };
};

const volumeOf = (claim: PersistentVolumeClaim): Omit<NonNullable<SampleDBStatus["storage"]>, "claim"> => {
  const capacity = claim.status?.capacity?.["storage"];
  // An empty name means: no class.
  const storageClassName = claim.spec?.storageClassName ?? "";
  return {
    ...(capacity === undefined ? {} : { capacity }),
    ...(storageClassName === "" ? {} : { storageClassName }),
  };
};

const storageOf = (situation: Situation): Pick<SampleDBStatus, "storage" | "version"> => {
  const { claim, volume } = situation;
  if (claim === undefined || volume === undefined || !isOwnClaim(situation)) return {};
  return {
    ...(volume.version === undefined ? {} : { version: volume.version }),
    storage: { claim: volume.claim, ...volumeOf(claim) },
  };
};

const accessOf = ({ sampledb, names, objects }: Situation): Pick<SampleDBStatus, "binding" | "endpoint"> => {
  const hasSecret = objects.Secret.some(
    (secret) => secret.metadata?.name === names.secret && isOwn(sampledb, secret),
  );
  const hasService = objects.Service.some(
    (service) => service.metadata?.name === names.service && isOwn(sampledb, service),
  );
  const host = `${names.service}.${sampledb.metadata.namespace ?? ""}.svc`;
  return {
    ...(hasSecret ? { binding: { name: names.secret } } : {}),
    ...(hasService ? { endpoint: `${host}:5432` } : {}),
  };
};

/** The whole status as it should be. Times move only where a condition's status does. */
export const statusOf = (situation: Situation, finding: Finding | undefined): SampleDBStatus => {
  const { generation } = situation.sampledb.metadata;
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    conditions: claimedConditions(situation, finding).map((claimed) => conditionOf(situation, claimed)),
    ...accessOf(situation),
    ...storageOf(situation),
  };
};
