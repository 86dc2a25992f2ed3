import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

const OVERLAY = resolve(import.meta.dirname, "../../../manifests/overlays/knative");

const write = (where: string, kustomization: object): Promise<void> =>
  writeFile(join(where, "kustomization.yaml"), JSON.stringify(kustomization));

/** Renders what a user writes who wants the functions on Knative in a namespace of another name. */
export const renderElsewhere = async (kubectl: Kubectl, namespace: string): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sampledb-knative-")));
  try {
    const inner = join(folder, "functions");
    await mkdir(inner);
    await write(inner, { resources: [relative(inner, join(OVERLAY, "functions"))], namespace });
    await write(folder, { resources: ["functions", relative(folder, join(OVERLAY, "gateway"))] });
    return await kubectl(["kustomize", folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
};
