import type { LocalCluster } from "./cluster/index.ts";
import { runCronJob } from "./deploy/run-cron-job.ts";

/**
 * Runs a sweep now instead of at the next minute, as an administrator would, and waits until every key was visited: of everything, or of
 * `scope`, which is `namespace` or `namespace/name`.
 */
export const resyncNow = ({ kubectl }: Pick<LocalCluster, "kubectl">, scope?: string): Promise<void> =>
  runCronJob((args, input) => kubectl(args, input), "resync", scope === undefined ? [] : [`SCOPE=${scope}`]);
