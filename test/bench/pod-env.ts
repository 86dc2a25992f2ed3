import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalCluster } from "../support/cluster/index.ts";

type View = { readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[] };

/**
 * The environment that a kubelet gives the pod of a function, with the files that it mounts in `folder`. The account, `bench` in namespace
 * `default`, may do everything. From a kubeconfig a process would load the client library, which no pod does.
 */
export const podEnv = async (
  { kubectl, server }: LocalCluster,
  folder: string,
): Promise<Readonly<Record<string, string>>> => {
  await kubectl(["create", "serviceaccount", "bench", "-n", "default"]);
  const rights = ["--clusterrole=cluster-admin", "--serviceaccount=default:bench"];
  await kubectl(["create", "clusterrolebinding", "bench", ...rights]);
  const view: View = JSON.parse(await kubectl(["config", "view", "--raw", "--flatten", "-o", "json"]));
  const ca = view.clusters[0]?.cluster["certificate-authority-data"] ?? "";
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "ca.crt"), Buffer.from(ca, "base64"));
  await writeFile(join(folder, "token"), await kubectl(["create", "token", "bench", "-n", "default"]));
  const { hostname, port } = new URL(server);
  return { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, SERVICE_ACCOUNT_DIR: folder };
};
