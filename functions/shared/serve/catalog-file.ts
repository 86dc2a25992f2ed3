import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_CATALOG } from "../api/catalog.ts";
import type { Catalog } from "../api/catalog.ts";
import { readCatalog } from "../api/read-catalog.ts";
import { log } from "./log.ts";

// Kubernetes mounts a ConfigMap as links into ..data, itself a link that is swapped as a whole; those names are not keys.
const keysOf = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => !name.startsWith(".."));

/** Changes whenever a file's content may have; undefined where there is no catalog folder. */
const stampOf = (folder: string): string | undefined => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  return keysOf(folder)
    .map((key) => {
      const found = statSync(join(folder, key), { throwIfNoEntry: false });
      return `${key} ${found?.ino ?? 0} ${found?.mtimeMs ?? 0} ${found?.size ?? 0}`;
    })
    .join("\n");
};

const read = (folder: string): Catalog =>
  readCatalog(
    Object.fromEntries(keysOf(folder).map((key) => [key, readFileSync(join(folder, key), "utf8")])),
  );

/** Where a process finds its catalog: `CATALOG_DIR`, or the place at which the manifests mount it. */
export const catalogFolder = (env: NodeJS.ProcessEnv): string =>
  env["CATALOG_DIR"] ?? "/etc/sampledb/catalog";

/**
 * The catalog in `folder` (files `default`, `latest` and one per major version), re-read when a file changes; cheap enough to call for
 * every event. Without the folder, or where it is empty from the beginning: the built-in catalog. A broken or emptied catalog is logged once and
 * the last good one stays in force; where there is none yet, it throws: the built-in one in its place would move every database to other images.
 */
export const catalogFrom = (folder: string): (() => Catalog) => {
  let seen = stampOf(folder);
  let current = seen === undefined || seen === "" ? BUILT_IN_CATALOG : read(folder);
  return () => {
    try {
      const stamp = stampOf(folder);
      if (stamp === seen) return current;
      seen = stamp;
      if (stamp === undefined || stamp === "")
        throw new Error("the catalog was emptied: the last one stays in force");
      current = read(folder);
    } catch (cause) {
      log({ level: "error", message: cause instanceof Error ? cause.message : String(cause), folder });
    }
    return current;
  };
};
