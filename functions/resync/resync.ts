import { setTimeout as wait } from "node:timers/promises";
import { apiServer } from "../shared/kube/api-server.ts";
import { readAccess } from "../shared/kube/read-access.ts";
import { concurrencyFrom, httpSink, sinkUrls } from "../shared/serve/sink.ts";
import { keysToVisit } from "./keys-to-visit.ts";
import { sweep } from "./sweep.ts";
import type { Swept } from "./sweep.ts";

/** What to visit: everything, a namespace, or one SampleDB. */
type Scope = { readonly namespace?: string; readonly name?: string };

export type Resync = {
  /** One sweep. Throws a Fault where the API server cannot be read. */
  readonly run: (scope: Scope) => Promise<Swept>;
  readonly close: () => void;
};

/** A bound on reading; sending takes as long as the sinks do. */
const READ_MS = 120_000;

/** Sweeps as the environment says: `KUBECONFIG` or the service account, `SINK`, `CONCURRENCY`. */
export const resync = (env: NodeJS.ProcessEnv): Resync => {
  const concurrency = concurrencyFrom(env);
  const sinks = sinkUrls(env).map((url) => httpSink(url, "resync.tick", concurrency));
  const api = apiServer(readAccess(env));
  return {
    run: async ({ namespace, name }) => {
      const keys =
        namespace !== undefined && name !== undefined
          ? [{ namespace, name }]
          : await keysToVisit(api, namespace, AbortSignal.timeout(READ_MS));
      return sweep(keys, { sinks, concurrency, wait, random: Math.random });
    },
    close: () => {
      for (const { close } of [...sinks, api]) close();
    },
  };
};
