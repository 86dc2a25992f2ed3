import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { FINALIZER } from "../../../functions/shared/api/markers.ts";
import { waitUntil } from "../cluster/wait-until.ts";
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

/** A SampleDB that is never stored, under a name that nobody has. */
const TRIAL = JSON.stringify({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { generateName: "trial-", namespace: "default" },
});

/** Asks the API server to create a SampleDB without storing it; whether admission filled it in. */
const isAdmitted = async (kubectl: Kubectl): Promise<true | undefined> => {
  const made = await kubectl(["create", "--dry-run=server", "-o", "json", "-f", "-"], TRIAL);
  return made.includes(FINALIZER) || undefined;
};

/**
 * Waits until every function runs and admission judges SampleDBs. That the install policy's binding is gone is not enough: the API
 * server goes by its own copy for a moment longer, and learns of the webhooks as late.
 */
export const functionsReady = async (kubectl: Kubectl, timeoutMs = 600_000): Promise<void> => {
  const wait = `--timeout=${timeoutMs / 1000}s`;
  await kubectl(["wait", "-n", SYSTEM_NAMESPACE, "--for=condition=Available", "deployment", "--all", wait]);
  await kubectl(["wait", "--for=delete", "validatingadmissionpolicybinding/sampledb-install", wait]);
  await waitUntil(() => isAdmitted(kubectl), { what: "admission of a SampleDB", timeoutMs, everyMs: 200 });
};

/** Deletes the overlay's objects. CRDs, and with them every SampleDB, stay. */
export const removeFunctions = async (kubectl: Kubectl, deployment: Deployment): Promise<void> => {
  await kubectl(
    ["delete", "--ignore-not-found", "--wait=true", "-f", "-"],
    await render(kubectl, deployment),
  );
};
