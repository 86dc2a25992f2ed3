import { keptClaims } from "../kept.ts";
import { remove } from "../remove.ts";
import type { Step } from "../step.ts";

/** Deletes the claims that are not kept and waits until they are gone: until then their Secrets may be needed. */
export const deleteClaims: Step = (scene) => {
  const kept = new Set(keptClaims(scene));
  const doomed = scene.claims.filter((claim) => !kept.has(claim));
  return doomed.length === 0 ? "done" : remove("PersistentVolumeClaim", doomed);
};
