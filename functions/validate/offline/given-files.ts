import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { Unusable, unusable } from "./read-text.ts";

/** Stands for standard input. */
export const STDIN = "-";

/** A file to be read, or a path that leads to none, and why. */
export type GivenFile = { readonly name: string; readonly fault?: string };

const isManifest = (name: string): boolean => /\.(?:ya?ml|json)$/iu.test(name);

const isSkipped = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/** Manifests below a folder, sorted; links to folders are not followed, so that there is an end. */
const below = async (folder: string): Promise<readonly GivenFile[]> => {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly GivenFile[]> => {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) return isSkipped(entry.name) ? [] : expanded(name);
      return isManifest(entry.name) && (entry.isFile() || (entry.isSymbolicLink() && (await isFile(name))))
        ? [{ name }]
        : [];
    }),
  );
  return found.flat();
};

const isFile = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile();
  } catch (cause) {
    throw new Unusable(`holds ${path}, which ${unusable(cause).message}`);
  }
};

const expanded = async (path: string): Promise<readonly GivenFile[]> => {
  try {
    if (path === STDIN || !(await stat(path)).isDirectory()) return [{ name: path }];
    return await below(path);
  } catch (cause) {
    return [{ name: path, fault: unusable(cause).message }];
  }
};

const identity = async ({ name }: GivenFile): Promise<string> => {
  try {
    return await realpath(name);
  } catch {
    return name;
  }
};

/** The files that the arguments name, each once: folders stand for the `*.yaml`, `*.yml` and `*.json` below them. */
export const givenFiles = async (paths: readonly string[]): Promise<readonly GivenFile[]> => {
  const found = await Promise.all(
    paths.map(async (path): Promise<readonly GivenFile[]> => {
      const files = await expanded(path);
      return files.length > 0 ? files : [{ name: path, fault: "holds no *.yaml, *.yml or *.json" }];
    }),
  );
  const files = await Promise.all(found.flat().map(async (file) => ({ file, id: await identity(file) })));
  const first = new Map<string, GivenFile>();
  for (const { file, id } of files) if (!first.has(id)) first.set(id, file);
  return [...first.values()];
};
