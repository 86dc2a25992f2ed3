import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MANIFESTS, overlayOf, type Platform } from "./platform.ts";

/** A folder that may be named with --component: one that is put on top of the overlay, or another form of the overlay itself. */
export type Component = { readonly path: string; readonly isOverlay: boolean };

/** Included by the overlays themselves. */
const INNER = new Set(["function-pods"]);
/** On every platform. */
const EVERYWHERE = new Set(["protected-namespaces"]);

const componentAt = (path: string): Component | undefined => {
  const file = join(path, "kustomization.yaml");
  if (!existsSync(file)) return undefined;
  return { path, isOverlay: !/^kind: Component$/mu.test(readFileSync(file, "utf8")) };
};

const below = (folder: string): readonly (readonly [string, Component])[] => {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const found = componentAt(join(folder, name));
    return found === undefined || INNER.has(name) ? [] : [[name, found] as const];
  });
};

/** What --component may name, by name. Those of plain Kubernetes are for plain Kubernetes: the others have their own, below their overlay. */
export const componentsFor = (platform: Platform): ReadonlyMap<string, Component> => {
  const common = below(join(MANIFESTS, "components"));
  if (platform === "kubernetes") return new Map(common);
  const own = [...below(overlayOf(platform)), ...below(join(overlayOf(platform), "components"))];
  // What is no overlay by itself, or is included by the one that is: the parts of an overlay, and OpenFaaS' other way to its functions.
  const parts = new Set(["common", "functions", "gateway"]);
  return new Map([
    ...common.filter(([name]) => EVERYWHERE.has(name)),
    ...own.filter(([name, { isOverlay }]) => !isOverlay || !parts.has(name)),
  ]);
};
