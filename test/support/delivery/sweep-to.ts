import { resync } from "../../../functions/resync/resync.ts";
import { metrics } from "../../../functions/shared/serve/metrics.ts";

/** One sweep of the real resync over a namespace, one key after the other, to the function at `url`. Gives how many keys it did not take. */
export const sweepTo = async (url: string, kubeconfig: string, namespace: string): Promise<number> => {
  const { run, close } = resync({ KUBECONFIG: kubeconfig, SINK: url, CONCURRENCY: "1" }, metrics());
  try {
    return (await run({ namespace })).failed;
  } finally {
    close();
  }
};
