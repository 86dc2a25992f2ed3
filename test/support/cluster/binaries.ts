import { existsSync } from "node:fs";
import { join } from "node:path";

import { compile } from "./compile.ts";
import type { ClusterLevel } from "./local-cluster.ts";
import { binariesFolder, units } from "./pins.ts";

export type Binaries = {
  /** The folder that holds all compiled binaries. */
  readonly folder: string;
  /** Path of one binary. */
  path(name: string): string;
};

const supplied = (name: string): string | undefined => {
  const assets = process.env["KUBEBUILDER_ASSETS"];
  const path = assets === undefined || assets === "" ? undefined : join(assets, name);
  return path !== undefined && existsSync(path) ? path : undefined;
};

/** Makes sure that every binary of the level is there, compiled once into the cache or taken from KUBEBUILDER_ASSETS. */
export const ensureBinaries = async (
  level: ClusterLevel,
  onProgress: (line: string) => void,
): Promise<Binaries> => {
  const folder = binariesFolder();
  const wanted = units.filter((unit) => level === "node" || unit.level === "api");
  const lacking = wanted.filter((unit) => unit.binaries.some((name) => supplied(name) === undefined));
  await compile(lacking, folder, onProgress);
  return { folder, path: (name) => supplied(name) ?? join(folder, name) };
};
