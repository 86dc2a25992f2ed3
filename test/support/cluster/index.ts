export type { LocalCluster } from "./local-cluster.ts";
export { startCluster } from "./start-cluster.ts";
