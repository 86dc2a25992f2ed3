import type { LocalCluster } from "./cluster/index.ts";
import { SYSTEM_NAMESPACE } from "./deploy/deploy.ts";

/** Posts an event to the deployed group `reconcile` as an event source would, with `object` as its data, and gives the answer's status. */
export const sendEvent = async (cluster: LocalCluster, type: string, object: unknown): Promise<number> => {
  const service = ["get", "service", "reconcile", "-n", SYSTEM_NAMESPACE];
  const address = await cluster.kubectl([...service, "-o", "jsonpath={.spec.clusterIP}"]);
  const request = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "ce-specversion": "1.0",
      "ce-id": "late",
      "ce-type": type,
      "ce-source": "/test",
    },
    body: JSON.stringify(object),
  };
  const program = `fetch("http://${address}/", ${JSON.stringify(request)}).then(({ status }) => process.stdout.write(String(status)))`;
  return Number(await cluster.exec([process.execPath, "-e", program]));
};
