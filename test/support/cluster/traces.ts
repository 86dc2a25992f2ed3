import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { cgroupName, hierarchies } from "./cgroups.ts";
import { prefix, workFolders } from "./work-folder.ts";

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The process or interface has gone since it was listed.
    return "";
  }
};

const processes = (id: string): string[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => ({
      pid,
      command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " "),
      cgroup: read(`/proc/${pid}/cgroup`),
    }))
    .filter(({ command, cgroup }) => command.includes(prefix + id) || cgroup.includes(cgroupName(id)))
    .map(({ pid, command }) => `process ${pid}: ${command.slice(0, 100)}`);

const mounts = (id: string): string[] =>
  read("/proc/self/mountinfo")
    .split("\n")
    .filter((line) => line.includes(prefix + id))
    .map((line) => `mount: ${line}`);

const interfaces = (id: string): string[] =>
  readdirSync("/sys/class/net")
    .filter((name) => read(`/sys/class/net/${name}/ifalias`).trim() === cgroupName(id))
    .map((name) => `interface ${name}`);

/** What runs or is mounted or connected of the cluster with this id; empty once it has ended. */
export const livingTraces = (id: string): string[] => [...processes(id), ...mounts(id), ...interfaces(id)];

/** Everything on this machine that a cluster with this id made, a line each. */
export const traces = (id: string): string[] => [
  ...livingTraces(id),
  ...[join(workFolders(), prefix + id), ...hierarchies().map((folder) => join(folder, cgroupName(id)))]
    .filter((folder) => existsSync(folder))
    .map((folder) => `folder ${folder}`),
];

/** The id of the cluster that a kubeconfig of this harness belongs to. */
export const clusterIdOf = (kubeconfig: string): string => {
  const id = kubeconfig.split("/").at(-2)?.slice(prefix.length);
  if (id === undefined) throw new Error(`${kubeconfig} belongs to no local cluster`);
  return id;
};
