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

/** Throws one sentence when this machine cannot run the level; installs the packages that the level `node` needs. */
export const requireHost = async ({ level, onProgress }: ClusterOptions): Promise<void> => {
  if (level === "api") return;
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    throw new Error(
      "A local node needs Linux and root: run this as root, or name a cluster of your own with --context or KUBECONFIG.",
    );
  }
  await ensureDebianPackages(packages, onProgress);
};
