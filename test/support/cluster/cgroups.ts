import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { waitUntil } from "./wait-until.ts";

const root = "/sys/fs/cgroup";
/** The controllers that a kubelet wants to hand on. */
const controllers = ["cpuset", "cpu", "io", "memory", "hugetlb", "pids"];

const isUnified = (): boolean => existsSync(join(root, "cgroup.controllers"));

/** The hierarchies: one with cgroup v2; with v1 one per controller. */
export const hierarchies = (): string[] => {
  if (isUnified()) return [root];
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name));
};

/** The cgroup of a cluster, as a path below the hierarchies' roots. */
export const cgroupName = (id: string): string => `sampledb-${id}`;

/** With v2 a controller reaches a child only when every parent hands it on. */
const handOn = (folder: string): void => {
  const available = readFileSync(join(folder, "cgroup.controllers"), "utf8").trim().split(" ");
  const wanted = controllers.filter((name) => available.includes(name));
  try {
    writeFileSync(join(folder, "cgroup.subtree_control"), wanted.map((name) => `+${name}`).join(" "));
  } catch (error) {
    throw new Error(
      `The cgroup ${folder} cannot hand its controllers on (in a container, move its processes into a child cgroup first, or use the host's cgroup namespace).`,
      { cause: error },
    );
  }
};

/** Makes the cgroup that one cluster's kubelet owns alone. */
export const makeCgroups = (id: string): void => {
  if (isUnified()) handOn(root);
  for (const hierarchy of hierarchies()) {
    const folder = join(hierarchy, cgroupName(id));
    mkdirSync(folder, { recursive: true });
    if (isUnified()) handOn(folder);
    // With v1 a cpuset without processors and memory takes no process; the kubelet's children copy ours.
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
      if (!isUnified() && existsSync(join(folder, file))) {
        writeFileSync(join(folder, file), readFileSync(join(hierarchy, file)));
      }
    }
  }
};

const removeTree = (folder: string): void => {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(folder, entry.name));
  }
  rmdirSync(folder);
};

/** Removes a cluster's cgroups; its processes must have ended, though the kernel may still be letting go of them. */
export const removeCgroups = async (id: string): Promise<void> => {
  await waitUntil(
    () => {
      for (const hierarchy of hierarchies()) removeTree(join(hierarchy, cgroupName(id)));
      return Promise.resolve(true);
    },
    { what: `removing the cgroups of cluster ${id}`, timeoutMs: 120_000 },
  );
};
