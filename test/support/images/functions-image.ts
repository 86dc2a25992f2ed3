import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { ensureDebianPackages } from "../debian-packages.ts";
import { ensureImages, type ImageOptions } from "./ensure-images.ts";
import { cacheImage, cachedImage, hashOf } from "./image-cache.ts";
import { runIsolated } from "./run-isolated.ts";

const DOCKERFILE = path.join(import.meta.dirname, "../../../functions/Dockerfile");
const BASE = "localhost/node:24";
const REFERENCE = "localhost/sampledb-functions:dev";
const FILE = "sampledb-functions.tar";
const HOST_PACKAGES = ["buildah", "util-linux"];

/** `dist`: the folder of bundles (`<function>.mjs`) that go into the image. */
export interface FunctionsImageOptions extends ImageOptions {
  readonly dist: string;
}

/**
 * Builds the functions' image from functions/Dockerfile on the test cluster's Node image. Returns the path of a
 * docker-archive tar named `localhost/sampledb-functions:dev`; the same bundles give the same image without building.
 */
export async function buildFunctionsImage(options: FunctionsImageOptions): Promise<string> {
  const bundles = (await readdir(options.dist)).filter((name) => name.endsWith(".mjs")).toSorted();
  if (bundles.length === 0)
    throw new Error(`There are no bundles (*.mjs) in ${options.dist}: run \`npm run build\`.`);
  const { node24 } = await ensureImages(options);
  const files = [DOCKERFILE, import.meta.filename, ...bundles.map((name) => path.join(options.dist, name))];
  // The base's path has its key in it.
  const key = await hashOf([node24, ...bundles], files);
  const found = await cachedImage(key, FILE);
  if (found !== undefined) return found;
  await ensureDebianPackages(HOST_PACKAGES, options.onProgress);
  options.onProgress(`building image ${REFERENCE}`);
  return cacheImage(key, FILE, async (folder) => {
    await mkdir(path.join(folder, "context/dist"), { recursive: true });
    for (const name of bundles) {
      await copyFile(path.join(options.dist, name), path.join(folder, "context/dist", name));
    }
    await build(folder, node24);
  });
}

// Overlay mounts where the file system can; vfs, which copies, works on all.
async function build(folder: string, base: string): Promise<void> {
  try {
    await buildWith("overlay", folder, base);
  } catch (overlay) {
    await rm(path.join(folder, "storage"), { recursive: true, force: true });
    try {
      await buildWith("vfs", folder, base);
    } catch (vfs) {
      throw new AggregateError([overlay, vfs], `buildah cannot build ${REFERENCE}: ${String(vfs)}`, {
        cause: vfs,
      });
    }
  }
}

// A storage of its own, thrown away: nothing of the machine's is touched, and no broken state can be left.
async function buildWith(driver: string, folder: string, base: string): Promise<void> {
  const storage = path.join(folder, "storage");
  const policy = path.join(folder, "policy.json");
  const registries = path.join(folder, "registries.conf");
  // Nothing is pulled from a registry, so there is nothing to verify and none to be configured.
  await writeFile(policy, '{"default":[{"type":"insecureAcceptAnything"}]}');
  await writeFile(registries, "");
  const global = ["--root", storage, "--runroot", `${storage}/run`, "--storage-driver", driver];
  const env = { CONTAINERS_REGISTRIES_CONF: registries, TMPDIR: folder };
  const buildah = async (command: string, ...args: readonly string[]): Promise<string> =>
    runIsolated(["buildah", ...global, command, "--signature-policy", policy, ...args], env);
  await buildah("pull", "--quiet", `docker-archive:${base}`);
  const onBase = [
    "--build-arg",
    `BASE=${BASE}`,
    "--pull=never",
    "--isolation",
    "chroot",
    "--network",
    "host",
  ];
  // A fixed time makes equal bundles equal layers.
  const result = ["--timestamp", "0", "--format", "docker", "--layers=false", "--tag", REFERENCE];
  await buildah("bud", "--quiet", ...onBase, ...result, "--file", DOCKERFILE, path.join(folder, "context"));
  await buildah("push", "--quiet", REFERENCE, `docker-archive:${path.join(folder, FILE)}:${REFERENCE}`);
  for (const part of [storage, policy, registries, path.join(folder, "context")]) {
    await rm(part, { recursive: true, force: true });
  }
}
