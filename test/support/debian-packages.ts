import { existsSync } from "node:fs";

import { cacheFolder } from "./images/cache-folder.ts";
import { run } from "./cluster/run.ts";
import { withLock } from "./images/with-lock.ts";

const APT = ["-y", "-q", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600"];

/**
 * Makes sure that these Debian packages are installed on this machine; installs those that are missing.
 * Throws an Error that says in one sentence what to do where that is not possible (no apt, not root).
 */
export async function ensureDebianPackages(
  names: readonly string[],
  onProgress: (message: string) => void = () => {},
): Promise<void> {
  if ((await missing(names)).length === 0) return;
  // One at a time: apt waits for dpkg's lock, but not for the one on its package lists.
  await withLock(`${cacheFolder()}/apt.lock`, async () => {
    const wanted = await missing(names);
    if (wanted.length === 0) return;
    if (process.getuid?.() !== 0) {
      throw new Error(`These Debian packages are missing; install them as root: ${wanted.join(" ")}.`);
    }
    onProgress(`installing Debian packages: ${wanted.join(" ")}`);
    await install(wanted);
  });
}

async function missing(names: readonly string[]): Promise<string[]> {
  if (!existsSync("/usr/bin/dpkg-query")) {
    throw new Error(
      `This machine is not Debian: install what these packages hold yourself: ${names.join(" ")}.`,
    );
  }
  // dpkg-query fails when it has never heard of one of the names, and still lists the others.
  const list = await run([
    "sh",
    "-c",
    "dpkg-query -W -f '${db:Status-Status} ${Package}\\n' \"$@\" 2>/dev/null || true",
    "sh",
    ...names,
  ]);
  const installed = new Set(list.split("\n").map((line) => line.replace(/^installed /, "")));
  return names.filter((name) => !installed.has(name));
}

async function install(names: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    await run(["apt-get", "install", ...APT, ...names], { env });
  } catch {
    // A fresh machine has no package lists, an old one has stale ones.
    await run(["apt-get", "update", "-q"], { env });
    await run(["apt-get", "install", ...APT, ...names], { env });
  }
}
