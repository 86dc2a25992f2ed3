import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { cacheFolder } from "../images/cache-folder.ts";
import type { ClusterLevel } from "./local-cluster.ts";

/** One `go build`: the binaries of one module that are compiled together. */
export type Unit = {
  readonly name: string;
  readonly module: string;
  readonly packages: readonly string[];
  readonly flags?: readonly string[];
  readonly level: ClusterLevel;
  /** File names as they end up in the cache, in the order of `packages`. */
  readonly binaries: readonly string[];
};

const kubernetesVersion = "v1.34.4";
const kubernetes = (name: string, level: ClusterLevel): Unit => ({
  name,
  module: "kubernetes",
  packages: [`k8s.io/kubernetes/cmd/${name}`],
  level,
  binaries: [name],
});
const containerd = "github.com/containerd/containerd/v2/cmd";
const cni = "github.com/containernetworking/plugins/plugins";

/** Everything a cluster is made of; what the level `api` needs comes first. */
export const units: readonly Unit[] = [
  kubernetes("kube-apiserver", "api"),
  kubernetes("kube-controller-manager", "api"),
  kubernetes("kubectl", "api"),
  { name: "etcd", module: "etcd", packages: ["go.etcd.io/etcd/server/v3"], level: "api", binaries: ["etcd"] },
  kubernetes("kube-scheduler", "node"),
  kubernetes("kubelet", "node"),
  kubernetes("kube-proxy", "node"),
  {
    name: "containerd",
    module: "containerd",
    packages: [`${containerd}/containerd`, `${containerd}/containerd-shim-runc-v2`, `${containerd}/ctr`],
    level: "node",
    binaries: ["containerd", "containerd-shim-runc-v2", "ctr"],
  },
  {
    name: "runc",
    module: "runc",
    packages: ["github.com/opencontainers/runc"],
    flags: ["-tags", "seccomp"],
    level: "node",
    binaries: ["runc"],
  },
  {
    name: "CNI plugins",
    module: "cni",
    packages: [`${cni}/main/bridge`, `${cni}/main/loopback`, `${cni}/ipam/host-local`, `${cni}/meta/portmap`],
    level: "node",
    binaries: ["bridge", "loopback", "host-local", "portmap"],
  },
  { name: "CoreDNS", module: "coredns", packages: ["."], level: "node", binaries: ["coredns"] },
  {
    name: "local-path-provisioner",
    module: "local-path",
    packages: ["github.com/rancher/local-path-provisioner"],
    level: "node",
    binaries: ["local-path-provisioner"],
  },
];

/** Folder of the pinned Go modules. */
export const pinsFolder = join(import.meta.dirname, "pins");

/** The linker flags of a module; they are part of the cache's key. */
export const linkerFlags = (module: string): string =>
  module === "kubernetes"
    ? `-s -w -X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`
    : "-s -w";

/** The folder outside the checkout that keeps the binaries of exactly these units, with these pins; `name` begins its name. */
export const binariesFolder = (name = "cluster", of: readonly Unit[] = units): string => {
  const hash = createHash("sha256")
    .update(JSON.stringify(of))
    .update(process.arch)
    .update(linkerFlags("kubernetes"));
  for (const module of [...new Set(of.map((unit) => unit.module))].toSorted()) {
    for (const file of readdirSync(join(pinsFolder, module)).toSorted()) {
      hash.update(`${module}/${file}\n`).update(readFileSync(join(pinsFolder, module, file)));
    }
  }
  return join(cacheFolder(), `${name}-${hash.digest("hex").slice(0, 16)}`);
};
