import { resolve } from "node:path";
import { waitUntil } from "../cluster/wait-until.ts";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

export const CRDS = resolve(import.meta.dirname, "../../../manifests/crds");

/** Applies the CRDs and waits until the API server serves them, which is a moment after it took them. */
export const installCrds = async (kubectl: Kubectl): Promise<void> => {
  await kubectl(["apply", "-k", CRDS]);
  const isServed = async (): Promise<true> => {
    await kubectl(["get", "sampledbs.sampledb.dev", "--all-namespaces"]);
    return true;
  };
  await waitUntil(isServed, { what: "the CRD to be served", timeoutMs: 300_000, everyMs: 100 });
};
