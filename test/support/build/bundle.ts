import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import type { Metafile } from "esbuild";
import { requiredBuiltins, withoutUnused } from "./slimmer.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

// For Node's own modules, which an ES module cannot `require`.
const REQUIRE =
  'import{createRequire as sampledbRequire}from"node:module";const require=sampledbRequire(import.meta.url);';

/** `file` is what is started; `files` are it and the parts beside it. */
export type Bundle = {
  readonly name: string;
  readonly file: string;
  readonly files: readonly string[];
  readonly metafile: Metafile;
};

const exists = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
};

/** Names of the deployable functions: the folders of functions/ that have an index.ts. */
export const deployable = async (): Promise<readonly string[]> => {
  const folder = join(ROOT, "functions");
  const names = await readdir(folder);
  const found = await Promise.all(
    names.map(async (name) => ((await exists(join(folder, name, "index.ts"))) ? name : undefined)),
  );
  return found.filter((name) => name !== undefined).toSorted();
};

// Renamed into place: another process may be reading the last build. Two bundles may write the same lazy file at once.
const replace = async (file: string, text: string): Promise<void> => {
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
};

/**
 * Makes the bundle of a program: `<folder>/<name>.mjs`, and `part-*.mjs` with what is imported dynamically, each read when it is first
 * needed, and with what it shares with the rest (one module has one state). `entry` is a path in this repository, or an absolute one.
 */
export const bundleOf = async (entry: string, name: string, folder: string): Promise<Bundle> => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [{ in: entry, out: name }],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // Equal ones of several functions are one file.
    chunkNames: "part-[name]-[hash]",
    splitting: true,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "esm",
    banner: { js: REQUIRE },
    plugins: [requiredBuiltins, withoutUnused],
    logLevel: "error",
  });
  await mkdir(folder, { recursive: true });
  const files = outputFiles.map(({ path }) => join(folder, basename(path)));
  await Promise.all(outputFiles.map(({ path, text }) => replace(join(folder, basename(path)), text)));
  return { name, file: join(folder, `${name}.mjs`), files, metafile };
};

/** Makes one function's bundle. */
export const bundle = (name: string, folder: string): Promise<Bundle> =>
  bundleOf(`functions/${name}/index.ts`, name, folder);
