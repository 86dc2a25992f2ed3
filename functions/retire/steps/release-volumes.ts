import { giveUp } from "../reclaim.ts";
import type { Step } from "../step.ts";

/**
 * Wipe: volumes whose claim is being deleted already go with it. Such a claim vanishes as soon as its pods do, so this comes before the
 * pods are stopped. (A namespace's deletion ends pods first and claims at once after them: what it leaves of a volume is proved by
 * nothing any more and stays.)
 */
export const releaseEndingVolumes: Step = (scene) => {
  const ending = scene.claims.filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
  const actions = giveUp(scene, ending);
  return actions.length === 0 ? "done" : actions;
};

/** Wipe: the PersistentVolume goes with its claim. */
export const releaseVolumes: Step = (scene) => {
  const actions = giveUp(scene, scene.claims);
  return actions.length === 0 ? "done" : actions;
};
