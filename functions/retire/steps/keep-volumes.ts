import { keptClaims } from "../kept.ts";
import { keep } from "../reclaim.ts";
import type { Step } from "../step.ts";

/** Retain: the PersistentVolume outlives even its claim (whose namespace may be going), also where an earlier Wipe was revoked. */
export const keepVolumes: Step = (scene) => {
  const actions = keep(scene, keptClaims(scene));
  return actions.length === 0 ? "done" : actions;
};
