import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { imagesOf, untilReady } from "../../../deploy/check/until-ready.ts";
import { itemsIn } from "../../../deploy/shared/rendered.ts";
import { run } from "../../../deploy/shared/run.ts";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { type Deployment, overlayFor } from "./overlay-for.ts";
import { installCrds } from "./install-crds.ts";

const MANIFESTS = resolve(import.meta.dirname, "../../../manifests");
export const SYSTEM_NAMESPACE = "sampledb-system";

/** Renders the overlay for plain Kubernetes with this deployment's image and catalog. */
const render = async (kubectl: Kubectl, deployment: Deployment): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sampledb-overlay-")));
  try {
    const overlay = join(MANIFESTS, "overlays/kubernetes");
    await writeFile(join(folder, "kustomization.yaml"), overlayFor(deployment, folder, overlay));
    return await kubectl(["kustomize", folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Applies the CRDs and the overlay. Nothing is waited for. */
export const applyFunctions = async (kubectl: Kubectl, deployment: Deployment): Promise<void> => {
  await installCrds(kubectl);
  await kubectl(["apply", "-f", "-"], await render(kubectl, deployment));
};

/** The policy that refuses new SampleDBs until certify has done its work. */
const INSTALL_POLICY = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "sampledb-install" },
};

/** Waits until every function runs and admission judges SampleDBs, as npm run deploy does. */
export const functionsReady = async (kubectl: Kubectl, timeoutMs = 600_000): Promise<void> => {
  const deployments = itemsIn(await kubectl(["get", "deployments", "-n", SYSTEM_NAMESPACE, "-o", "json"]));
  await untilReady(
    {
      namespace: SYSTEM_NAMESPACE,
      objects: [...deployments, INSTALL_POLICY],
      images: imagesOf(deployments),
      trialNamespace: "default",
      timeoutMs,
    },
    { kubectl, run, say: () => undefined, signal: new AbortController().signal },
  );
};

/** Deletes the overlay's objects. CRDs, and with them every SampleDB, stay. */
export const removeFunctions = async (kubectl: Kubectl, deployment: Deployment): Promise<void> => {
  await kubectl(
    ["delete", "--ignore-not-found", "--wait=true", "-f", "-"],
    await render(kubectl, deployment),
  );
};
