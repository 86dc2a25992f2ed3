import { keptClaims } from "../kept.ts";
import { reclaim } from "../reclaim.ts";
import type { Step } from "../step.ts";

/** Retain: the PersistentVolume outlives even its claim (whose namespace may be going), also where an earlier Wipe was revoked. */
export const keepVolumes: Step = (scene) => {
  const actions = reclaim(scene, keptClaims(scene), "Retain");
  return actions.length === 0 ? "done" : actions;
};
