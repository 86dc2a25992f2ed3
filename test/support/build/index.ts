import { readdir, rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { bundle, deployable } from "./bundle.ts";
import type { Bundle } from "./bundle.ts";
import { forbiddenIn } from "./forbidden-packages.ts";

const DIST = resolve(import.meta.dirname, "../../../dist");

const check = ({ name, metafile }: Bundle): void => {
  const forbidden = forbiddenIn(name, metafile);
  if (forbidden.length > 0)
    throw new Error(`${name} loads ${forbidden.join(" and ")} when it starts, which it must not`);
};

const bundles = await Promise.all((await deployable()).map((name) => bundle(name, DIST)));
for (const made of bundles) check(made);
const current = [...new Set(bundles.flatMap(({ files }) => files))];
for (const file of current.toSorted()) {
  const { size } = await stat(file);
  process.stdout.write(`dist/${basename(file)} ${Math.ceil(size / 1024)} kB\n`);
}
// What an earlier build left behind would get into the image.
for (const file of await readdir(DIST))
  if (file.endsWith(".mjs") && !current.includes(join(DIST, file))) await rm(join(DIST, file));
