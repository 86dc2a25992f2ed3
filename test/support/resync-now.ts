import type { LocalCluster } from "./cluster/index.ts";
import { SYSTEM_NAMESPACE } from "./deploy/deploy.ts";

/** Runs a sweep now instead of at the next minute, as an administrator would, and waits until every key was visited. */
export const resyncNow = async ({ kubectl }: Pick<LocalCluster, "kubectl">): Promise<void> => {
  const job = `resync-by-hand-${Date.now()}`;
  const there = ["-n", SYSTEM_NAMESPACE];
  await kubectl([...there, "create", "job", job, "--from=cronjob/resync"]);
  await kubectl([...there, "wait", "--for=condition=complete", `job/${job}`, "--timeout=120s"]);
  await kubectl([...there, "delete", "job", job, "--wait=false"]);
};
