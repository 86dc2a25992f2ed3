import { readdir, rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { bundle, deployable } from "./bundle.ts";
import type { Bundle } from "./bundle.ts";
import { forbiddenIn } from "./forbidden-packages.ts";

const DIST = resolve(import.meta.dirname, "../../../dist");

const report = async ({ name, file, metafile }: Bundle): Promise<void> => {
  const forbidden = forbiddenIn(name, metafile);
  if (forbidden.length > 0)
    throw new Error(`the bundle of ${name} contains ${forbidden.join(" and ")}, which it must not`);
  const { size } = await stat(file);
  process.stdout.write(`dist/${name}.mjs ${Math.ceil(size / 1024)} kB\n`);
};

const bundles = await Promise.all((await deployable()).map((name) => bundle(name, DIST)));
for (const made of bundles) await report(made);
const current = new Set(bundles.map(({ file }) => basename(file)));
// What an earlier build left behind would get into the image.
for (const file of await readdir(DIST))
  if (file.endsWith(".mjs") && !current.has(file)) await rm(join(DIST, file));
