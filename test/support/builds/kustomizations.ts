import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { yamlFilesBelow } from "../kustomize/manifest-files.ts";

const MANIFESTS = resolve(import.meta.dirname, "../../../manifests");

type Kustomization = { readonly resources?: readonly string[]; readonly components?: readonly string[] };

const isFolder = (folder: string): boolean => existsSync(join(MANIFESTS, folder, "kustomization.yaml"));

/** The folder and every other that it builds on. */
const reachedFrom = (folder: string): readonly string[] => {
  const text = readFileSync(join(MANIFESTS, folder, "kustomization.yaml"), "utf8");
  const { resources = [], components = [] }: Kustomization = parse(text);
  const next = [...resources, ...components].map((path) =>
    relative(MANIFESTS, resolve(MANIFESTS, folder, path)),
  );
  return [folder, ...next.filter((path) => isFolder(path)).flatMap((path) => reachedFrom(path))];
};

/** Folders below manifests/ that have a kustomization.yaml and are no part of what `paths` build. */
export const forgottenBy = (paths: readonly string[]): readonly string[] => {
  const reached = new Set(paths.flatMap((path) => reachedFrom(path)));
  return yamlFilesBelow(".")
    .filter((file) => file.endsWith("kustomization.yaml"))
    .map((file) => dirname(file))
    .filter((folder) => !reached.has(folder));
};
