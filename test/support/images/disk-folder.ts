import { mkdtemp } from "node:fs/promises";
import path from "node:path";

/** Makes a temporary folder for much: an image's files, a database. /tmp is often in memory and small, /var/tmp is on the disk. */
export async function diskFolder(prefix: string): Promise<string> {
  return mkdtemp(path.join("/var/tmp", prefix));
}
