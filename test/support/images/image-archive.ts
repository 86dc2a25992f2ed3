import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import { run } from "../cluster/run.ts";

/** The part of an image's configuration that says how its containers run (the OCI specification's names). */
export interface RunConfig {
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly User?: string;
  readonly WorkingDir?: string;
  readonly StopSignal?: string;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
  readonly Volumes?: Readonly<Record<string, object>>;
}

/** What an archive is made of: a root folder, the image's full name, and how its containers run. */
export interface ImageSource {
  readonly root: string;
  readonly reference: string;
  readonly config: RunConfig;
}

/** The architecture of this machine in the words of images. */
export function imageArchitecture(): string {
  return process.arch === "x64" ? "amd64" : process.arch;
}

/**
 * Writes an image of one layer as a docker-archive tar, which `ctr images import` and `buildah pull` read. The layer
 * is not compressed: it never travels, and importing it is then mostly a copy. `folder` holds the parts and the archive.
 */
export async function writeImageArchive(source: ImageSource, folder: string, file: string): Promise<void> {
  const layer = path.join(folder, "layer.tar");
  await chmod(source.root, 0o755);
  await run(["tar", "-C", source.root, "--numeric-owner", "--sort=name", "-cf", layer, "."]);
  const digest = await sha256OfFile(layer);
  const config = {
    architecture: imageArchitecture(),
    os: "linux",
    config: source.config,
    rootfs: { type: "layers", diff_ids: [`sha256:${digest}`] },
  };
  const manifest = [{ Config: "config.json", RepoTags: [source.reference], Layers: ["layer.tar"] }];
  await writeFile(path.join(folder, "config.json"), JSON.stringify(config));
  await writeFile(path.join(folder, "manifest.json"), JSON.stringify(manifest));
  const parts = ["manifest.json", "config.json", "layer.tar"];
  await run(["tar", "-C", folder, "-cf", path.join(folder, file), ...parts]);
  await Promise.all(parts.map(async (part) => rm(path.join(folder, part))));
}

async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}
