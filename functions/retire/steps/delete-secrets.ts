import { keptSecrets } from "../kept.ts";
import { remove } from "../remove.ts";
import type { Step } from "../step.ts";

/** Deletes the Secrets that open nothing any more. */
export const deleteSecrets: Step = (scene) => {
  const kept = new Set(keptSecrets(scene));
  const actions = remove(
    "Secret",
    scene.secrets.filter((secret) => !kept.has(secret)),
  );
  return actions.length === 0 ? "done" : actions;
};
