import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

const OVERLAY = resolve(import.meta.dirname, "../../../manifests/overlays/knative");

const write = (where: string, kustomization: object): Promise<void> =>
  writeFile(join(where, "kustomization.yaml"), JSON.stringify(kustomization));

/** Components, as folders of overlays/knative/components: beside the functions, or beside these and the gateway. */
export type Components = { readonly inner?: readonly string[]; readonly outer?: readonly string[] };

/** Renders what a user writes who wants the functions on Knative in a namespace of another name. */
export const renderElsewhere = async (
  kubectl: Kubectl,
  namespace: string,
  { inner: beside = [], outer = [] }: Components = {},
): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sampledb-knative-")));
  try {
    const inner = join(folder, "functions");
    const componentsFrom = (where: string, names: readonly string[]): readonly string[] =>
      names.map((name) => relative(where, join(OVERLAY, "components", name)));
    await mkdir(inner);
    await write(inner, {
      resources: [relative(inner, join(OVERLAY, "functions"))],
      components: componentsFrom(inner, beside),
      namespace,
    });
    await write(folder, {
      resources: ["functions", relative(folder, join(OVERLAY, "gateway"))],
      components: componentsFrom(folder, outer),
    });
    return await kubectl(["kustomize", folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
};
