import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imageEnv } from "../../support/build/image-env.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";

export const NAMESPACE = "shop";

/** An API server, and the environment of a process in a pod of the functions' image that may do everything there. */
export type Scene = AsyncDisposable & {
  readonly cluster: LocalCluster;
  readonly env: Readonly<Record<string, string>>;
  /** A folder for what is built for the benchmark. */
  readonly folder: string;
};

type View = { readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[] };

const serviceAccount = async ({ kubectl }: LocalCluster, folder: string): Promise<void> => {
  await kubectl(["create", "serviceaccount", "bench", "-n", NAMESPACE]);
  const account = `--serviceaccount=${NAMESPACE}:bench`;
  await kubectl(["create", "clusterrolebinding", "bench", "--clusterrole=cluster-admin", account]);
  const { clusters }: View = JSON.parse(
    await kubectl(["config", "view", "--raw", "--flatten", "-o", "json"]),
  );
  const ca = Buffer.from(clusters[0]?.cluster["certificate-authority-data"] ?? "", "base64");
  const token = await kubectl(["create", "token", "bench", "-n", NAMESPACE]);
  await writeFile(join(folder, "ca.crt"), ca);
  await writeFile(join(folder, "token"), token.trim());
};

export const startScene = async (say: (line: string) => void): Promise<Scene> => {
  const cluster = await startCluster({ level: "api", onProgress: say });
  const folder = await mkdtemp(join(tmpdir(), "bench-client-"));
  await installCrds(cluster.kubectl);
  await cluster.kubectl(["create", "namespace", NAMESPACE]);
  await cluster.kubectl(["create", "configmap", "orders", "-n", NAMESPACE, "--from-literal=text=hello"]);
  await serviceAccount(cluster, folder);
  const { hostname, port } = new URL(cluster.server);
  return {
    cluster,
    folder,
    env: {
      ...(await imageEnv()),
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      SERVICE_ACCOUNT_DIR: folder,
    },
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true });
      await cluster.stop();
    },
  };
};
