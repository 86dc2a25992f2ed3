import { setTimeout as wait } from "node:timers/promises";
import { keysToVisit } from "../../../functions/resync/keys-to-visit.ts";
import { sweep } from "../../../functions/resync/sweep.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import type { Instance } from "./instance.ts";
import { ownEvent } from "./wire-event.ts";

export type SweepTo = {
  readonly instance: Instance;
  /** Of the functions that each get every key. */
  readonly paths: readonly string[];
  readonly api: ApiServer;
  readonly namespace: string;
};

/** One sweep over a namespace as `resync` makes it, one key after the other, to one instance. Gives how many keys were not taken. */
export const sweepTo = async ({ instance, paths, api, namespace }: SweepTo): Promise<number> => {
  const { keys, faults } = await keysToVisit(api, { namespace, wait });
  const sinks = paths.map((path) => ({
    deliver: async (key: (typeof keys)[number]) =>
      (await instance.send(ownEvent(key, "resync.tick"), path)) === 204
        ? ("delivered" as const)
        : ("again" as const),
  }));
  const { failed } = await sweep(keys, { sinks, concurrency: 1, wait, now: Date.now() });
  return failed + faults.length;
};
