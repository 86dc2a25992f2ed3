import { FINALIZER } from "../shared/api/markers.ts";
import type { Action } from "../shared/kube/action.ts";
import type { Observed } from "../shared/kube/observed.ts";
import type { PlanContext } from "../shared/kube/reconcile-function.ts";
import { type RetireReads, type Scene, sceneOf } from "./scene.ts";
import type { Step } from "./step.ts";
import { deleteClaims } from "./steps/delete-claims.ts";
import { deleteSecrets } from "./steps/delete-secrets.ts";
import { keepVolumes } from "./steps/keep-volumes.ts";
import { markRetained } from "./steps/mark-retained.ts";
import { releaseSampleDB } from "./steps/release-sampledb.ts";
import { removeOtherChildren } from "./steps/remove-other-children.ts";
import { stopDatabase } from "./steps/stop-database.ts";
import { releaseEndingVolumes, releaseVolumes } from "./steps/release-volumes.ts";

// Marking comes first: whatever else happens after it, the data says whose it was.
const RETAIN: readonly Step[] = [
  keepVolumes,
  markRetained,
  stopDatabase,
  deleteClaims,
  deleteSecrets,
  removeOtherChildren,
  releaseSampleDB,
];

// The volume goes after its pods and the Secrets after the volume: until the data is gone, it can be opened.
const WIPE: readonly Step[] = [
  releaseEndingVolumes,
  stopDatabase,
  releaseVolumes,
  deleteClaims,
  deleteSecrets,
  removeOtherChildren,
  releaseSampleDB,
];

const nextActions = (steps: readonly Step[], scene: Scene): readonly Action[] => {
  for (const step of steps) {
    const actions = step(scene);
    if (actions !== "done") return actions;
  }
  return [];
};

/**
 * What to do next for a SampleDB that is being deleted: the actions of the first step of its deletion policy that is not done, none
 * while that step waits. Each step looks only at what was just read, so a killed or doubled pass changes nothing in the end.
 * Only deletes and patches: a namespace that is being deleted lets nothing be created.
 */
export const planRetire = (
  observed: Observed<RetireReads>,
  { catalog }: Pick<PlanContext, "catalog">,
): readonly Action[] => {
  const { sampledb, objects } = observed;
  if (sampledb?.metadata.deletionTimestamp === undefined) return [];
  if (!(sampledb.metadata.finalizers ?? []).includes(FINALIZER)) return [];
  const scene = sceneOf(sampledb, objects, catalog);
  // Every policy but Wipe keeps the data, one that this release does not know too.
  return nextActions(scene.spec.deletion.policy === "Wipe" ? WIPE : RETAIN, scene);
};
