import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiServer } from "../../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { bundle } from "../../support/build/bundle.ts";
import { startCluster } from "../../support/cluster/index.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { podEnv } from "../pod-env.ts";
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

/** Starts an API server with so many SampleDBs, each with three labelled children. */
export const startScene = async (count: number, say: (line: string) => void): Promise<Scene> => {
  const cluster = await startCluster({ level: "api", auditLog: false, onProgress: say });
  const folder = await mkdtemp(join(tmpdir(), "sampledb-bench-"));
  await installCrds(cluster.kubectl);
  await cluster.kubectl(["create", "namespace", NAMESPACE]);
  const env = await podEnv(cluster, join(folder, "account"));
  // Nothing is to happen but what the benchmark does.
  await cluster.stopComponent("kube-controller-manager");
  const api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
  await makeObjects(api, NAMESPACE, count, say);
  api.close();
  const { file } = await bundle("source", folder);
  return {
    kubeconfig: cluster.kubeconfig,
    program: file,
    env: { ...env, NODE_OPTIONS: HEAP },
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true });
      await cluster.stop();
    },
  };
};
