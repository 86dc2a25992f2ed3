import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { cacheFolder } from "../images/cache-folder.ts";

/** What this machine is, as far as `npm start` depends on it. */
export type HostFacts = {
  readonly platform: string;
  readonly uid: number;
  readonly freeGiB: number;
  readonly cacheFolder: string;
  readonly hasCache: boolean;
  readonly hasApt: boolean;
  readonly port: number;
  readonly isPortFree: boolean;
};

/** GiB that the first start needs: compiler output and caches, images, and the node's own disk. The later ones need little. */
const NEEDED_GIB = { first: 15, later: 3 };

/** What stands in the way of a local node: one sentence each, with what to do. Empty: nothing. */
export const problemsOf = (facts: HostFacts): readonly string[] => {
  const needed = facts.hasCache ? NEEDED_GIB.later : NEEDED_GIB.first;
  return [
    facts.platform === "linux"
      ? undefined
      : "The local node runs on Linux only: use a Linux machine, or name a cluster with --context.",
    facts.uid === 0
      ? undefined
      : "The local node needs root (containers, network interfaces): run this as root, or name a cluster with --context.",
    facts.platform === "linux" && !facts.hasApt
      ? "The local node's images are made from Debian packages and apt-get is not here: use a Debian machine, or name a cluster with --context."
      : undefined,
    facts.freeGiB >= needed
      ? undefined
      : `Only ${facts.freeGiB.toFixed(1)} GiB are free at ${facts.cacheFolder} and ${needed} are needed: free some, or set XDG_CACHE_HOME to a larger disk.`,
    facts.isPortFree
      ? undefined
      : `Port ${facts.port} is taken: end what uses it, or choose another with --port.`,
  ].filter((problem) => problem !== undefined);
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** The folder, or the nearest one above it that exists: both are on one disk. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));

/** Looks at this machine. */
export const hostFacts = async (port: number): Promise<HostFacts> => {
  const folder = cacheFolder();
  const hasCache = existsSync(folder);
  const disk = await statfs(existing(folder));
  return {
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
    freeGiB: (disk.bavail * disk.bsize) / 2 ** 30,
    cacheFolder: folder,
    hasCache,
    hasApt: existsSync("/usr/bin/apt-get"),
    port,
    isPortFree: await isFree(port),
  };
};
