import type { ReadAccess } from "./access.ts";
import { inClusterAccess } from "./in-cluster-access.ts";
import { kubeconfigAccess } from "./kubeconfig-access.ts";

/** How this process reaches the API server: by `KUBECONFIG` where it is set, else by its pod's service account. */
export const readAccess = (env: NodeJS.ProcessEnv): ReadAccess => {
  const files = env["KUBECONFIG"] ?? "";
  if (files !== "") return kubeconfigAccess(files);
  if ((env["KUBERNETES_SERVICE_HOST"] ?? "") !== "") return inClusterAccess(env);
  throw new Error("No Kubernetes to talk to: set KUBECONFIG, or run in a pod that has a service account.");
};
