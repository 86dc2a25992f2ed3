import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { freePort } from "../cluster/free-port.ts";
import { run } from "../cluster/run.ts";
import { waitUntil } from "../cluster/wait-until.ts";
import { dieWithOwner } from "../die-with-owner.ts";
import { cacheFolder } from "./cache-folder.ts";
import { withLock } from "./with-lock.ts";

const PACKAGE = "docker-registry";

/** A registry (CNCF Distribution) on loopback, plain HTTP, empty at the start; it ends with this process. */
export interface Registry extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
}

const download = async (folder: string): Promise<void> => {
  const get = (): Promise<string> => run(["apt-get", "download", PACKAGE], { cwd: folder });
  // A fresh machine has no package lists, an old one has stale ones.
  await get().catch(async () => {
    await run(["apt-get", "update", "-q"]);
    await get();
  });
};

/** Debian's package, unpacked into the cache: installed, it would start a service of the machine. */
const program = async (): Promise<string> => {
  const folder = path.join(cacheFolder(), PACKAGE);
  const found = path.join(folder, "usr/bin/docker-registry");
  if (existsSync(found)) return found;
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(found)) return found;
    const work = await mkdtemp(`${folder}.partial-`);
    await chmod(work, 0o755);
    try {
      await download(work);
      const [file = ""] = await readdir(work);
      await run(["dpkg-deb", "-x", path.join(work, file), path.join(work, "root")]);
      await rename(path.join(work, "root"), folder);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    return found;
  });
};

/** Starts a registry and waits until it answers. */
export const startRegistry = async (): Promise<Registry> => {
  const binary = await program();
  const folder = await mkdtemp(path.join(tmpdir(), "sampledb-registry-"));
  const host = `127.0.0.1:${await freePort()}`;
  const file = path.join(folder, "config.yml");
  await mkdir(path.join(folder, "data"));
  await writeFile(
    file,
    JSON.stringify({
      version: 0.1,
      log: { level: "error", accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: path.join(folder, "data") } },
      http: { addr: host },
    }),
  );
  const [command, ...args] = dieWithOwner([binary, "serve", file]);
  const child = spawn(command, args, { stdio: "ignore" });
  const isUp = async (): Promise<true | undefined> => (await fetch(`http://${host}/v2/`)).ok || undefined;
  await waitUntil(isUp, { what: "the registry", timeoutMs: 300_000 });
  return {
    host,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
};
