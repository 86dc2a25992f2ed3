import { mkdir, readdir, rename, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { Metafile } from "esbuild";

const ROOT = resolve(import.meta.dirname, "../../..");

// CommonJS packages call `require` for Node's own modules, which an ES module does not have.
const REQUIRE =
  'import{createRequire as sampledbRequire}from"node:module";const require=sampledbRequire(import.meta.url);';

export type Bundle = { readonly name: string; readonly file: string; readonly metafile: Metafile };

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

/** Makes one function's bundle, one file without dependencies, at `<folder>/<name>.mjs`. */
export const bundle = async (name: string, folder: string): Promise<Bundle> => {
  const file = join(folder, `${name}.mjs`);
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`functions/${name}/index.ts`],
    outfile: file,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "error",
  });
  const needsRequire = Object.values(metafile.inputs).some(({ format }) => format === "cjs");
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`no bundle of ${name} came out`);
  await mkdir(folder, { recursive: true });
  // Renamed into place: another process may be reading the last build.
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, needsRequire ? `${REQUIRE}\n${output.text}` : output.text);
  await rename(unfinished, file);
  return { name, file, metafile };
};
