import { ensureDebianPackages } from "../debian-packages.ts";
import type { ClusterOptions } from "./local-cluster.ts";

/** What compiling runc and running a node take from the distribution. */
const packages = [
  "gcc",
  "libc6-dev",
  "pkg-config",
  "libseccomp-dev",
  "iptables",
  "iproute2",
  "util-linux",
  "mount",
];

/** Why this machine cannot run the level `node`, in one sentence with what to do; undefined when it can. */
export const whyNoNode = (): string | undefined =>
  process.platform === "linux" && process.getuid?.() === 0
    ? undefined
    : "A local node needs Linux and root: run this as root, or name a cluster of your own with --context or KUBECONFIG.";

/** Throws one sentence when this machine cannot run the level; installs the packages that the level `node` needs. */
export const requireHost = async ({ level, onProgress }: ClusterOptions): Promise<void> => {
  if (level === "api") return;
  const reason = whyNoNode();
  if (reason !== undefined) throw new Error(reason);
  await ensureDebianPackages(packages, onProgress);
};
