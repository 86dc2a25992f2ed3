import { startCluster } from "../cluster/index.ts";
import { ensureBinaries } from "../cluster/binaries.ts";
import { localImages } from "../deploy/local-images.ts";
import type { Session } from "./session.ts";
import type { Steps } from "./steps.ts";

/** A single-node Kubernetes of our own on this machine; it ends with the session, or with this process. */
export const localSession = async ({ step, note }: Steps): Promise<Session> => {
  const binaries = await step("Kubernetes' programs (compiled once, then cached)", () =>
    ensureBinaries("node", note),
  );
  const { archives, deployment } = await step("Images (built once, then cached)", () => localImages(note));
  const cluster = await step("Single-node Kubernetes", () =>
    startCluster({ level: "node", images: archives, onProgress: note }),
  );
  return {
    kubectl: (args, input) => cluster.kubectl(args, input),
    kubectlCommand: [binaries.path("kubectl"), "--kubeconfig", cluster.kubeconfig],
    connectLines: [
      `export KUBECONFIG=${cluster.kubeconfig}`,
      `alias kubectl=${binaries.path("kubectl")}   # only if you have no kubectl`,
    ],
    deployment,
    namespace: "default",
    end: () => cluster.stop(),
  };
};
