export type { ClusterLevel, ClusterOptions, ComponentName, LocalCluster } from "./local-cluster.ts";
export { startCluster } from "./start-cluster.ts";
