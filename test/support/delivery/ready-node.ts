import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";

/** Name of the node on which all pods are said to run. */
export const NODE = "imagined";

/** Well within the 50 s after which the controllers give a node up. */
const RENEW_MS = 10_000;
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

const leaseSpec = () => ({
  holderIdentity: NODE,
  leaseDurationSeconds: 40,
  renewTime: new Date().toISOString().replace("Z", "000Z"),
});

/** A node that is nothing but Ready: without one, controllers delete the pods that are bound to it. */
export const readyNode = async (api: ApiServer): Promise<Disposable> => {
  const call = async (
    method: "POST" | "PATCH",
    path: string,
    {
      body,
      contentType = "application/merge-patch+json",
    }: { readonly body: object; readonly contentType?: string },
  ): Promise<void> => {
    await api.call({ method, path, body, contentType, signal: AbortSignal.timeout(30_000) });
  };
  const contentType = "application/json";
  const metadata = { name: NODE };
  await call("POST", LEASES, { body: { metadata, spec: leaseSpec() }, contentType });
  await call("POST", "/api/v1/nodes", { body: { metadata }, contentType });
  const conditions = [{ type: "Ready", status: "True", reason: "Imagined", message: "always" }];
  await call("PATCH", `/api/v1/nodes/${NODE}/status`, { body: { status: { conditions } } });
  const renewing = setInterval(() => {
    // One that fails is made up for by the next.
    call("PATCH", `${LEASES}/${NODE}`, { body: { spec: leaseSpec() } }).catch(() => undefined);
  }, RENEW_MS);
  return {
    [Symbol.dispose]: () => {
      clearInterval(renewing);
    },
  };
};
