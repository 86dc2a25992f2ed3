import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { ensureBinaries } from "../cluster/binaries.ts";
import { run } from "../cluster/run.ts";

/** A kubectl that knows no cluster: for `kustomize`. */
export const offlineKubectl = async (): Promise<Kubectl> => {
  const binaries = await ensureBinaries("api", () => undefined);
  return (args) => run([binaries.path("kubectl"), ...args]);
};
