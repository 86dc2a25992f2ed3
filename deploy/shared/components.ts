import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MANIFESTS, overlayOf, type Platform } from "./platform.ts";

/** A folder that may be named with --component: one that is put on top of the overlay, or another form of the overlay itself. */
export type Component = { readonly path: string; readonly isOverlay: boolean };

/** Included by the overlays themselves. */
const INNER = new Set(["function-pods", "common"]);
/** Of plain Kubernetes' components, those that fit another platform. On OpenFaaS the functions are not in the overlay, so no release can be told to them there. */
const FIT: { readonly [P in Exclude<Platform, "kubernetes">]: ReadonlySet<string> } = {
  knative: new Set(["protected-namespaces", "release/named", "release/unnamed"]),
  openfaas: new Set(["protected-namespaces"]),
};

const componentAt = (path: string): Component | undefined => {
  const file = join(path, "kustomization.yaml");
  if (!existsSync(file)) return undefined;
  return { path, isOverlay: !/^kind: Component$/mu.test(readFileSync(file, "utf8")) };
};

const below = (folder: string, prefix = ""): readonly (readonly [string, Component])[] => {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || INNER.has(entry.name)) return [];
    const path = join(folder, entry.name);
    const found = componentAt(path);
    // A folder of several.
    if (found === undefined) return prefix === "" ? below(path, `${entry.name}/`) : [];
    return [[`${prefix}${entry.name}`, found] as const];
  });
};

/** What --component may name, by name. Those of plain Kubernetes are for plain Kubernetes: the others have their own, below their overlay. */
export const componentsFor = (platform: Platform): ReadonlyMap<string, Component> => {
  const common = below(join(MANIFESTS, "components"));
  if (platform === "kubernetes") return new Map(common);
  const own = below(overlayOf(platform));
  // What is no overlay by itself, or is included by the one that is: the parts of an overlay, and OpenFaaS' other way to its functions.
  const parts = new Set(["functions", "gateway"]);
  return new Map([
    ...common.filter(([name]) => FIT[platform].has(name)),
    ...own
      .filter(([name, { isOverlay }]) => !isOverlay || !parts.has(name))
      .map(([name, found]) => [name.replace(/^components\//u, ""), found] as const),
  ]);
};

/** Where admission has its own TLS, cert-manager's component is that of plain Kubernetes. */
export const fitting = (components: readonly Component[]): readonly Component[] => {
  const hasOwnTls = components.some(({ isOverlay }) => isOverlay);
  const knative = join(overlayOf("knative"), "components/cert-manager");
  return components.map((component) =>
    hasOwnTls && component.path === knative
      ? { path: join(MANIFESTS, "components/cert-manager"), isOverlay: false }
      : component,
  );
};
