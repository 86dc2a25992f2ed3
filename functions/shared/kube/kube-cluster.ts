import type { ApiServer } from "./api-server.ts";
import { carryOut } from "./carry-out.ts";
import type { Cluster } from "./cluster.ts";
import { observe } from "./observe.ts";
import { reader } from "./reader.ts";

/** The cluster port on a real API server. Every call ends when `signal` says so, as a Fault of sort `unavailable`. */
export const kubeCluster = (api: ApiServer, signal: AbortSignal): Cluster => {
  const read = reader(api, signal);
  return {
    observe: (key, reads, ifGone) => observe(read, key, reads, ifGone),
    sampledb: ({ namespace, name }) => read.get("SampleDB", name, namespace),
    carryOut: (action, manager) => carryOut(api, action, manager, signal),
  };
};
