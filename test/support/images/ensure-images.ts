import { rm } from "node:fs/promises";
import path from "node:path";

import { ensureDebianPackages } from "../debian-packages.ts";
import { imageArchitecture, writeImageArchive } from "./image-archive.ts";
import { cacheImage, cachedImage, hashOf } from "./image-cache.ts";
import { nodeRecipe, pauseRecipe, postgresRecipe, type Recipe } from "./recipes.ts";

/** Where a caller wants to hear about progress: a line as each image starts. Nothing is said when all is cached. */
export interface ImageOptions {
  readonly onProgress: (line: string) => void;
}

/** Paths of docker-archive tars that `ctr images import` reads; each has its name (`localhost/...`) in it. */
export interface ImagePaths {
  readonly pause: string;
  readonly postgres15: string;
  readonly postgres17: string;
  readonly node24: string;
}

const HOST_PACKAGES = ["mmdebstrap", "debian-archive-keyring", "gcc", "libc6-dev", "tar", "util-linux"];

/**
 * Makes those of the test cluster's images that are not in the cache, from Debian packages. Needs root and, where
 * something is missing, a Debian mirror. Throws an Error with the failing tool's last words.
 */
export async function ensureImages(options: ImageOptions): Promise<ImagePaths> {
  const recipes = [
    pauseRecipe(),
    await nodeRecipe(),
    postgresRecipe("15", "bookworm"),
    postgresRecipe("17", "trixie"),
  ];
  const images = await Promise.all(recipes.map(lookUp));
  const missing = images.filter((image) => image.found === undefined);
  if (missing.length > 0) await ensureDebianPackages(HOST_PACKAGES, options.onProgress);
  const started = Date.now();
  const paths: string[] = [];
  for (const image of images) {
    if (image.found === undefined) {
      const elapsed = `${Math.round((Date.now() - started) / 1000)} s so far`;
      const turn = `${missing.indexOf(image) + 1} of ${missing.length}`;
      options.onProgress(`building image ${image.recipe.reference}, ${turn} (once; ${elapsed})`);
    }
    paths.push(
      image.found ??
        (await cacheImage(image.key, image.recipe.file, async (folder) => build(image.recipe, folder))),
    );
  }
  const [pause = "", node24 = "", postgres15 = "", postgres17 = ""] = paths;
  return { pause, postgres15, postgres17, node24 };
}

interface Image {
  readonly recipe: Recipe;
  readonly key: string;
  readonly found: string | undefined;
}

async function lookUp(recipe: Recipe): Promise<Image> {
  const key = await keyOf(recipe);
  return { recipe, key, found: await cachedImage(key, recipe.file) };
}

async function keyOf(recipe: Recipe): Promise<string> {
  const archive = path.join(import.meta.dirname, "image-archive.ts");
  const texts = [imageArchitecture(), recipe.reference, JSON.stringify(recipe.config), ...recipe.inputs];
  return hashOf(texts, [...recipe.files, archive]);
}

async function build(recipe: Recipe, folder: string): Promise<void> {
  const root = path.join(folder, "root");
  await recipe.makeRoot(root);
  await writeImageArchive({ root, reference: recipe.reference, config: recipe.config }, folder, recipe.file);
  await rm(root, { recursive: true, force: true });
}
