import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parse } from "yaml";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

const MANIFESTS = resolve(import.meta.dirname, "../../../manifests");

/**
 * Renders a user's kustomization on an overlay for Knative (a folder of manifests/), with folders of overlays/knative/components; `more` of it in
 * YAML, as READMEs have it, where manifests/ is a neighbour of its folder.
 */
export const renderComponents = async (
  kubectl: Kubectl,
  overlay: string,
  components: readonly string[],
  more = "",
): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sampledb-components-")));
  try {
    const manifests = relative(folder, MANIFESTS);
    const text = more.replaceAll("../manifests/", `${manifests}/`);
    const kustomization = {
      resources: [join(manifests, overlay)],
      components: components.map((name) => join(manifests, "overlays/knative/components", name)),
      ...parse(text),
    };
    await writeFile(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
    return await kubectl(["kustomize", folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
};
