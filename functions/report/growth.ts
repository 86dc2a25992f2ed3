import { REASON } from "../shared/api/conditions.ts";
import { asksForLess, isGrowing, sizesOf } from "../shared/api/volume-size.ts";
import type { PersistentVolumeClaim } from "../shared/kube/kinds.ts";
import type { RefusedWrite } from "../shared/kube/reconcile-function.ts";
import { newestEvent } from "./diagnoses/newest-event.ts";
import { sentence } from "./log-lines.ts";
import { type Situation, isBound, isOwnClaim } from "./situation.ts";

/** A volume that is being made larger, or cannot be. The database answers meanwhile. */
export type Growth = {
  readonly reason: typeof REASON.volumeResizing | typeof REASON.volumeResizeFailed;
  readonly message: string;
  readonly severity: "progress" | "stall";
};

const EVENTS = ["VolumeResizeFailed", "FileSystemResizeFailed"];
const ERRORS = ["ControllerResizeError", "NodeResizeError"];

const underWay = (message: string): Growth => ({
  reason: REASON.volumeResizing,
  message,
  severity: "progress",
});
const failed = (message: string): Growth => ({
  reason: REASON.volumeResizeFailed,
  message,
  severity: "stall",
});

const nameOf = (claim: PersistentVolumeClaim): string =>
  `PersistentVolumeClaim ${claim.metadata?.name ?? ""}`;

const ownBoundClaim = (situation: Situation): PersistentVolumeClaim | undefined =>
  isBound(situation.claim) && isOwnClaim(situation) ? situation.claim : undefined;

/** Whether this refused write was to make the volume larger. */
export const isRefusedGrowth = (situation: Situation, { object }: RefusedWrite): boolean => {
  const claim = ownBoundClaim(situation);
  return claim !== undefined && object === nameOf(claim) && asksForLess(claim, situation.spec.storage.size);
};

const cannotGrow = ({ objects }: Situation, claim: PersistentVolumeClaim): boolean =>
  objects.StorageClass.some(
    ({ metadata, allowVolumeExpansion }) =>
      metadata?.name === claim.spec?.storageClassName && allowVolumeExpansion !== true,
  );

/** The claim does not ask for it yet: `provision` is about to, or may not. */
const asked = (situation: Situation, claim: PersistentVolumeClaim): Growth => {
  const { requested } = sizesOf(claim);
  const wanted = `${nameOf(claim)} cannot grow to ${situation.spec.storage.size}`;
  if (cannotGrow(situation, claim))
    return failed(
      `${wanted}: StorageClass ${claim.spec?.storageClassName ?? ""} does not allow it (allowVolumeExpansion). The database goes on with ${requested}; move the data into a new SampleDB of a class that does.`,
    );
  const refused = situation.refused.find((write) => isRefusedGrowth(situation, write));
  return refused === undefined
    ? underWay(`${nameOf(claim)} is to grow from ${requested} to ${situation.spec.storage.size}.`)
    : failed(
        `${wanted}: ${sentence(refused.message)} The database goes on with ${requested}; change what refuses it, and it is tried again by itself.`,
      );
};

const isTrue =
  (...types: readonly string[]) =>
  ({ type, status }: { readonly type: string; readonly status: string }): boolean =>
    status === "True" && types.includes(type);

const failureOf = ({ objects }: Situation, claim: PersistentVolumeClaim): string | undefined => {
  const { conditions = [], allocatedResourceStatuses = {} } = claim.status ?? {};
  const error = conditions.find(isTrue(...ERRORS))?.message;
  const event = newestEvent(objects.Event, claim, EVENTS)?.message;
  const isInfeasible = allocatedResourceStatuses["storage"]?.endsWith("Infeasible") === true;
  return error ?? event ?? (isInfeasible ? "its driver cannot do it" : undefined);
};

/** The claim asks for it and does not have it yet. */
const growing = (situation: Situation, claim: PersistentVolumeClaim): Growth => {
  const { capacity, requested } = sizesOf(claim);
  const failure = failureOf(situation, claim);
  if (failure !== undefined)
    return failed(
      `${nameOf(claim)} does not grow from ${capacity} to ${requested}: ${sentence(failure)} The database goes on with ${capacity}; repair the driver of its StorageClass, and it is tried again by itself.`,
    );
  const grows = `${nameOf(claim)} grows from ${capacity} to ${requested}`;
  return claim.status?.conditions?.some(isTrue("FileSystemResizePending")) === true
    ? underWay(`${grows}: the volume has the size, and the node has to enlarge its file system.`)
    : underWay(`${grows}.`);
};

/** What becomes of a larger spec.storage.size; undefined where the volume has it. */
export const growthOf = (situation: Situation): Growth | undefined => {
  const claim = ownBoundClaim(situation);
  if (claim === undefined) return undefined;
  if (asksForLess(claim, situation.spec.storage.size)) return asked(situation, claim);
  return isGrowing(claim) ? growing(situation, claim) : undefined;
};
