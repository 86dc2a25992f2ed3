import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

const MANIFESTS = resolve(import.meta.dirname, "../../../manifests");

type Kubectl = (args: readonly string[]) => Promise<string>;

/** A kustomization of one's own on top of SampleDB's: `paths` are folders of manifests/, the first a resource, the others components. */
export type OwnKustomization = {
  readonly paths: readonly [string, ...string[]];
  readonly namespace?: string;
  /** The name for components/release/named. */
  readonly release?: string;
};

const releaseFile = (name: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "sampledb-release" },
    data: { name },
  });

/** Renders manifests/`path`. */
export const render = (kubectl: Kubectl, path: string): Promise<string> =>
  kubectl(["kustomize", join(MANIFESTS, path)]);

/** Renders a user's kustomization that builds on SampleDB's. */
export const renderOwn = async (kubectl: Kubectl, own: OwnKustomization): Promise<string> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sampledb-kustomization-")));
  try {
    const [resource, ...components] = own.paths.map((path) => relative(folder, join(MANIFESTS, path)));
    const { namespace, release } = own;
    const kustomization = {
      resources: [resource, ...(release === undefined ? [] : ["release.json"])],
      components,
      ...(namespace !== undefined && { namespace }),
    };
    if (release !== undefined) await writeFile(join(folder, "release.json"), releaseFile(release));
    await writeFile(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
    return await kubectl(["kustomize", folder]);
  } finally {
    await rm(folder, { recursive: true });
  }
};
