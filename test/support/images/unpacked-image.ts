import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

import { run } from "../cluster/run.ts";
import { ensureDebianPackages } from "../debian-packages.ts";
import { diskFolder } from "./disk-folder.ts";
import type { RunConfig } from "./image-archive.ts";
import { runIsolated } from "./run-isolated.ts";

/** How to run a command in an image. `volumes` maps mount points to folders; both must exist. */
interface RunOptions {
  readonly user: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly volumes?: Readonly<Record<string, string>>;
}

/** An image unpacked into a temporary folder. `run` returns standard output, and throws with the last lines of the error output. */
export interface UnpackedImage extends AsyncDisposable {
  readonly reference: string;
  readonly root: string;
  readonly config: RunConfig;
  readonly run: (command: readonly string[], options: RunOptions) => Promise<string>;
}

interface Manifest {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

/** Unpacks a docker-archive tar, so that its contract can be tried without a container engine. Needs root. */
export async function unpackImage(archive: string): Promise<UnpackedImage> {
  await ensureDebianPackages(["iproute2", "util-linux"]);
  const folder = await diskFolder("sampledb-image-");
  await run(["tar", "-C", folder, "-xf", archive]);
  const manifests: readonly Manifest[] = JSON.parse(
    await readFile(path.join(folder, "manifest.json"), "utf8"),
  );
  const [manifest] = manifests;
  if (manifest === undefined) throw new Error(`${archive} holds no image.`);
  const image: { config: RunConfig } = JSON.parse(await readFile(path.join(folder, manifest.Config), "utf8"));
  const { config } = image;
  const root = path.join(folder, "root");
  await mkdir(root);
  for (const layer of manifest.Layers) {
    await run(["tar", "-C", root, "--numeric-owner", "-xpf", path.join(folder, layer)]);
  }
  for (const point of ["dev", "proc", "tmp"]) await mkdir(path.join(root, point), { recursive: true });
  return {
    reference: manifest.RepoTags[0] ?? "",
    root,
    config,
    run: async (command, options) => runIn(root, config, command, options),
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
}

async function runIn(
  root: string,
  config: RunConfig,
  command: readonly string[],
  options: RunOptions,
): Promise<string> {
  const given = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`);
  const volumes = Object.entries(options.volumes ?? {}).map(([point, folder]) => `${folder}:${point}`);
  const script = path.join(import.meta.dirname, "run-in-root.sh");
  const change = ["/usr/sbin/chroot", `--userspec=${options.user}:${options.user}`, "--groups=", root];
  const inside = ["/usr/bin/env", "-i", ...(config.Env ?? []), ...given, ...change, ...command];
  const argv = ["unshare", "--net", script, root, ...inside];
  return runIsolated(argv, { VOLUMES: volumes.join("\n") });
}
