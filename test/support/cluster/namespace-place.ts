import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { cgroupName, makeCgroups } from "./cgroups.ts";
import { processId, signalProcess } from "./owner.ts";
import type { Place } from "./place.ts";
import { dieWithOwner } from "../die-with-owner.ts";
import { run } from "./run.ts";
import type { WorkFolder } from "./work-folder.ts";

/** What kubelet insists on; it would set them for the whole machine, so it is shown files that say so already. */
const tunables = {
  "vm/overcommit_memory": 1,
  "vm/panic_on_oom": 0,
  "kernel/panic": 10,
  "kernel/panic_on_oops": 1,
  "kernel/keys/root_maxkeys": 1_000_000,
  "kernel/keys/root_maxbytes": 25_000_000,
};

/**
 * The first process of the namespaces: when it ends, the kernel ends every other one and drops mounts and interfaces.
 * It ends when its standard input does, which the owner holds; meanwhile bash reaps what is orphaned inside.
 * Components also write to fixed places, /run, /var/log, /var/lib/kubelet and /var/lib/cni: they get those in memory,
 * while the work folder, which lies in /var/lib, stays on the disk. The empty resolv.conf means 127.0.0.1, where CoreDNS answers: looking up a registry's name fails at once.
 */
const firstProcess = `
set -e
mount --make-rshared /
mount -t tmpfs -o mode=0755 tmpfs /run
mount -t tmpfs -o mode=0755 tmpfs /var/log
mkdir /run/.work /run/.upper /run/.overlay
mount --bind "$1" /run/.work
mount -t overlay -o lowerdir=/var/lib,upperdir=/run/.upper,workdir=/run/.overlay overlay /var/lib
mount --bind /run/.work "$1"
while read -r name value; do
  file="$1/tunables/\${name//\\//.}"
  mkdir -p "$1/tunables"; echo "$value" > "$file"; mount --bind "$file" "/proc/sys/$name"
done <<< "$2"
: > "$1/resolv.conf"
[ ! -e /etc/resolv.conf ] || mount --bind "$1/resolv.conf" /etc/resolv.conf
ip link set lo up
echo ready
read -r _ || true
`;

/** The n-th of the 16384 point-to-point networks in 10.89.0.0/16: the host's end and the node's. */
const addresses = (n: number): { host: string; node: string } => {
  const prefix = `10.89.${n >> 6}`;
  return { host: `${prefix}.${((n & 63) << 2) + 1}`, node: `${prefix}.${((n & 63) << 2) + 2}` };
};

const isUnused = async (address: string): Promise<boolean> => {
  const routes = await run(["ip", "-4", "route", "show", "match", address]);
  return routes.split("\n").every((route) => route === "" || route.startsWith("default"));
};

/** Connects the namespaces with the host; the kernel allows an interface's name once, so two clusters never share one. */
const connect = async (id: string, pid: number, inside: (argv: readonly string[]) => Promise<string>) => {
  for (let tries = 0; tries < 50; tries += 1) {
    const n = Math.floor(Math.random() * 16_384);
    const { host, node } = addresses(n);
    const link = `sdb${n}`;
    if (!(await isUnused(node))) continue;
    try {
      await run(["ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", String(pid)]);
    } catch (error) {
      if (error instanceof Error && error.message.includes("File exists")) continue;
      throw error;
    }
    await run(["ip", "addr", "add", `${host}/30`, "dev", link]);
    await run(["ip", "link", "set", link, "alias", cgroupName(id), "up"]);
    const setUp = `ip addr add ${node}/30 dev eth0 && ip link set eth0 up && ip route add default via ${host}
      echo 1 > /proc/sys/net/ipv4/ip_forward`;
    await inside(["sh", "-ec", setUp]);
    return { link, host, node };
  }
  throw new Error("No free network was found in 10.89.0.0/16, which the local cluster's nodes use.");
};

const childOf = (pid: number): number | undefined => {
  try {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0];
    return child === undefined || child === "" ? undefined : Number(child);
  } catch {
    return undefined;
  }
};

const startFirst = async (work: WorkFolder): Promise<{ unshare: ChildProcess; pid: number }> => {
  const log = openSync(join(work.path, "log", "namespaces.log"), "a");
  const lines = Object.entries(tunables).map(([name, value]) => `${name} ${value}`);
  const namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const script = ["bash", "-c", firstProcess, "init", work.path, lines.join("\n")];
  const [program, ...args] = dieWithOwner(["unshare", ...namespaces, "--", ...script]);
  const unshare = spawn(program, args, { stdio: ["pipe", "pipe", log], detached: true });
  closeSync(log);
  const exit = once(unshare, "exit").then(() => {
    throw new Error(
      `Namespaces for the node could not be made: ${readFileSync(join(work.path, "log", "namespaces.log"), "utf8")}`,
    );
  });
  const { stdout } = unshare;
  if (stdout === null) throw new Error("the namespaces' first process has no output");
  await Promise.race([once(stdout, "data"), exit]);
  exit.catch(() => undefined);
  const pid = childOf(unshare.pid ?? 0);
  if (pid === undefined) throw new Error("the namespaces' first process was not found");
  writeFileSync(join(work.path, "pids", "first"), processId(pid));
  return { unshare, pid };
};

/** Level `node`: network, mount and PID namespaces of its own, joined to the host by a veth pair; needs Linux and root. */
export const makeNamespacePlace = async (work: WorkFolder): Promise<Place & { readonly cgroup: string }> => {
  makeCgroups(work.id);
  const { unshare, pid } = await startFirst(work);
  const wrap = (argv: readonly string[]): string[] => [
    "nsenter",
    "-t",
    String(pid),
    "-n",
    "-m",
    "-p",
    "--",
    ...argv,
  ];
  const end = async (): Promise<void> => {
    if (unshare.exitCode !== null || unshare.signalCode !== null) return;
    const exit = once(unshare, "exit");
    // The kernel ends everything inside before it lets go of the first process.
    signalProcess(pid, "SIGKILL");
    await exit;
  };
  try {
    const { link, host, node } = await connect(work.id, pid, (argv) => run(wrap(argv)));
    return {
      address: node,
      hostAddress: host,
      cgroup: `/${cgroupName(work.id)}`,
      wrap,
      pidOf: childOf,
      end: async () => {
        await end();
        // It goes with the other end, only a moment later.
        await run(["ip", "link", "del", link]).catch(() => undefined);
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
};
