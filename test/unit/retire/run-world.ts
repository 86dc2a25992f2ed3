import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { Action } from "../../../functions/shared/kube/action.ts";
import { planRetire } from "../../../functions/retire/plan-retire.ts";
import type { World } from "./world.ts";

export const planFor = (world: World): readonly Action[] =>
  planRetire(world.observe(), { catalog: BUILT_IN_CATALOG });

/** One pass; killed after `limit` actions. */
export const pass = (world: World, limit: number = Number.POSITIVE_INFINITY): void => {
  for (const action of planFor(world).slice(0, limit)) world.carryOut(action);
};

/** Passes and the cluster's own work until nothing is left to do. */
export const runToEnd = (world: World): void => {
  for (let round = 0; round < 40; round += 1) {
    const before = world.log.length;
    pass(world);
    world.tick();
    if (world.log.length === before && planFor(world).length === 0 && round > 2) return;
  }
  throw new Error(`the retirement does not end: ${world.log.join(", ")}`);
};
