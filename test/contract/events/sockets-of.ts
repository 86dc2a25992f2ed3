import { readdir, readlink } from "node:fs/promises";

/** How many sockets a process holds open. */
export const socketsOf = async (pid: number | undefined): Promise<number> => {
  const folder = `/proc/${pid}/fd`;
  // One may be closed while we look.
  const targets = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => "")),
  );
  return targets.filter((target) => target.startsWith("socket:")).length;
};
