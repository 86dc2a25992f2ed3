import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { bundle } from "../../support/build/bundle.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { makeObjects } from "./objects.ts";

const NAMESPACE = "shop";
/** What Node chooses by itself in a container with the memory limit of manifests/components/function-pods (256Mi). */
const HEAP = "--max-old-space-size=67 --max-semi-space-size=1";

/** An API server full of objects, and a pod's `source` for it that is not started yet. */
export type Scene = AsyncDisposable & {
  readonly kubeconfig: string;
  /** The bundle, and the environment that a kubelet gives it. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
};

type View = { readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[] };

/** The files that a kubelet mounts. */
const writeAccount = async ({ kubectl }: LocalCluster, folder: string): Promise<void> => {
  await kubectl(["create", "serviceaccount", "source", "-n", NAMESPACE]);
  const account = `--serviceaccount=${NAMESPACE}:source`;
  await kubectl(["create", "clusterrolebinding", "source", "--clusterrole=cluster-admin", account]);
  const view: View = JSON.parse(await kubectl(["config", "view", "--raw", "--flatten", "-o", "json"]));
  const ca = view.clusters[0]?.cluster["certificate-authority-data"] ?? "";
  await writeFile(join(folder, "ca.crt"), Buffer.from(ca, "base64"));
  await writeFile(join(folder, "token"), await kubectl(["create", "token", "source", "-n", NAMESPACE]));
};

/** Starts an API server with so many SampleDBs, each with three labelled children. */
export const startScene = async (count: number, say: (line: string) => void): Promise<Scene> => {
  const cluster = await startCluster({ level: "api", auditLog: false, onProgress: say });
  const folder = await mkdtemp(join(tmpdir(), "sampledb-bench-"));
  await installCrds(cluster.kubectl);
  await cluster.kubectl(["create", "namespace", NAMESPACE]);
  await writeAccount(cluster, folder);
  // Nothing is to happen but what the benchmark does.
  await cluster.stopComponent("kube-controller-manager");
  const api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
  await makeObjects(api, NAMESPACE, count, say);
  api.close();
  const { hostname, port } = new URL(cluster.server);
  const { file } = await bundle("source", folder);
  return {
    kubeconfig: cluster.kubeconfig,
    program: file,
    env: {
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      SERVICE_ACCOUNT_DIR: folder,
      NODE_OPTIONS: HEAP,
    },
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true });
      await cluster.stop();
    },
  };
};
