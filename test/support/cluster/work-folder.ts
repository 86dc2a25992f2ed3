import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { cacheFolder } from "../images/cache-folder.ts";
import { withLock } from "../images/with-lock.ts";
import { removeCgroups } from "./cgroups.ts";
import { isAlive, processId, signalProcess } from "./owner.ts";

/** How a work folder is called: this, and then the cluster's id. */
export const prefix = "sampledb-cluster-";

/** Where the work folders are. Containers' layers need a real disk, which /tmp often is not; without root there are no containers. */
export const workFolders = (): string => (process.getuid?.() === 0 ? "/var/lib" : tmpdir());

let made = 0;

/** A cluster's own folder; its name says which process owns it, so that a dead owner's folder is told from a live one's. */
export type WorkFolder = { readonly id: string; readonly path: string };

/** Makes the folder of a new cluster. */
export const makeWorkFolder = (): WorkFolder => {
  made += 1;
  const id = `${processId(process.pid)}-${made}`;
  const path = join(workFolders(), prefix + id);
  for (const folder of ["", "log", "pki", "pids"]) mkdirSync(join(path, folder), { mode: 0o755 });
  return { id, path };
};

/** Ends what a recorded process id names, if that very process still runs. */
const killRecorded = (path: string): void => {
  if (!existsSync(join(path, "pids"))) return;
  for (const file of readdirSync(join(path, "pids"))) {
    const id = readFileSync(join(path, "pids", file), "utf8");
    if (isAlive(id)) signalProcess(Number(id.split("-")[0]), "SIGKILL");
  }
};

/** Removes a cluster's folder and what hangs on its name. */
export const removeWorkFolder = async ({ id, path }: WorkFolder): Promise<void> => {
  await removeCgroups(id);
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
};

/** The work folders whose owners are dead. */
const leftovers = (): readonly WorkFolder[] =>
  readdirSync(workFolders())
    .filter((name) => name.startsWith(prefix) && !isAlive(name.slice(prefix.length)))
    .map((name) => ({ id: name.slice(prefix.length), path: join(workFolders(), name) }));

/** Removes what clusters left behind whose owners are dead; a living owner's cluster is not touched. */
export const sweepLeftovers = async (): Promise<void> => {
  if (leftovers().length === 0) return;
  // One sweeper at a time: two at the same folder would each trip over what the other removes.
  await withLock(join(cacheFolder(), "sweep.lock"), async () => {
    for (const folder of leftovers()) {
      killRecorded(folder.path);
      await removeWorkFolder(folder);
    }
  });
};
