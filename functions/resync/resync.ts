import { setTimeout as wait } from "node:timers/promises";
import type { Key } from "../shared/api/key.ts";
import { releaseFrom } from "../shared/api/release.ts";
import { apiServer } from "../shared/kube/api-server.ts";
import type { Fault } from "../shared/kube/fault.ts";
import { readAccess } from "../shared/kube/read-access.ts";
import { apiCallMetrics } from "../shared/serve/api-call-metrics.ts";
import type { Metrics } from "../shared/serve/metrics.ts";
import { sentMetrics } from "../shared/serve/sent-metrics.ts";
import { concurrencyFrom } from "../shared/serve/sink.ts";
import { sinksFrom } from "../shared/serve/sinks-from.ts";
import { keysToVisit } from "./keys-to-visit.ts";
import type { Scope } from "./scope.ts";
import { sweep } from "./sweep.ts";
import type { Swept } from "./sweep.ts";

/** What came of a sweep; `faults` are of the lists that could not be read, whose keys may be missing. */
export type Resynced = Swept & { readonly faults: readonly Fault[] };

export type Resync = {
  /** One sweep over what is there. */
  readonly run: (scope: Scope) => Promise<Resynced>;
  /** Sends these keys, without a look at whether they exist. */
  readonly visit: (keys: readonly Key[]) => Promise<Resynced>;
  readonly close: () => void;
};

/** Sweeps as the environment says: `KUBECONFIG` or the service account, `SINK` and what goes with it. */
export const resync = (env: NodeJS.ProcessEnv, counted: Metrics): Resync => {
  const concurrency = concurrencyFrom(env);
  const release = releaseFrom(env);
  const sinks = sinksFrom(env, "resync.tick").map(sentMetrics(counted));
  const api = apiServer(readAccess(env), apiCallMetrics(counted));
  const visit = async (keys: readonly Key[], faults: readonly Fault[] = []): Promise<Resynced> => ({
    ...(await sweep(keys, { sinks, concurrency, wait, now: Date.now() })),
    faults,
  });
  return {
    run: async ({ namespace, name }) => {
      if (namespace !== undefined && name !== undefined) return visit([{ namespace, name }]);
      const { keys, faults } = await keysToVisit(api, { namespace, release, wait });
      return visit(keys, faults);
    },
    visit: (keys) => visit(keys),
    close: () => {
      for (const { close } of [...sinks, api]) close();
    },
  };
};
