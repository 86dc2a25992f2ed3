import { mkdir, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Binaries } from "./binaries.ts";
import type { Commands } from "./control-plane.ts";

export const nodeName = "node1";
export const dnsAddress = "10.96.0.10";
const podNetwork = "10.88.0.0/16";
const overlayMagic = 0x79_4c_76_30;

export type NodeParts = {
  readonly folder: string;
  readonly binaries: Binaries;
  /** The node's address. */
  readonly address: string;
  /** The cgroup that this kubelet owns, from the hierarchies' roots. */
  readonly cgroup: string;
};

/** An overlay cannot lie on an overlay, which is what a container's own disk is. */
const snapshotterFor = async (folder: string): Promise<string> =>
  (await statfs(folder)).type === overlayMagic ? "native" : "overlayfs";

const containerdConfig = (folder: string, binaries: string, snapshotter: string): string => `version = 3
root = "${folder}/containerd/root"
state = "${folder}/containerd/state"
temp = "${folder}/containerd/temp"
[grpc]
  address = "${folder}/containerd/containerd.sock"
[plugins.'io.containerd.internal.v1.opt']
  path = "${folder}/containerd/opt"
[plugins.'io.containerd.cri.v1.images']
  snapshotter = "${snapshotter}"
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = "localhost/pause:3"
[plugins.'io.containerd.cri.v1.runtime']
  enable_unprivileged_ports = true
  restrict_oom_score_adj = true
[plugins.'io.containerd.cri.v1.runtime'.cni]
  bin_dirs = ["${binaries}"]
  conf_dir = "${folder}/cni"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
  SystemdCgroup = false
  BinaryName = "${binaries}/runc"
`;

const cniConfig = (folder: string): object => ({
  cniVersion: "1.0.0",
  name: "pods",
  plugins: [
    {
      type: "bridge",
      bridge: "cni0",
      isGateway: true,
      ipMasq: false,
      hairpinMode: true,
      ipam: {
        type: "host-local",
        dataDir: `${folder}/cni-addresses`,
        ranges: [[{ subnet: podNetwork }]],
        routes: [{ dst: "0.0.0.0/0" }],
      },
    },
    { type: "portmap", capabilities: { portMappings: true } },
  ],
});

const kubeletConfig = ({ folder, cgroup }: NodeParts): object => ({
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  kind: "KubeletConfiguration",
  authentication: {
    anonymous: { enabled: false },
    webhook: { enabled: false },
    x509: { clientCAFile: `${folder}/pki/ca.crt` },
  },
  authorization: { mode: "AlwaysAllow" },
  tlsCertFile: `${folder}/pki/kubelet.crt`,
  tlsPrivateKeyFile: `${folder}/pki/kubelet.key`,
  containerRuntimeEndpoint: `unix://${folder}/containerd/containerd.sock`,
  cgroupDriver: "cgroupfs",
  cgroupRoot: cgroup,
  failCgroupV1: false,
  failSwapOn: false,
  clusterDNS: [dnsAddress],
  clusterDomain: "cluster.local",
  // An empty file: a server that cannot be reached would only make lookups slow.
  resolvConf: `${folder}/resolv.conf`,
  podLogsDir: `${folder}/podlogs`,
  volumePluginDir: `${folder}/volume-plugins`,
  // Images are imported and cannot be pulled again, so a full disk must not remove them.
  imageGCHighThresholdPercent: 100,
  imageGCLowThresholdPercent: 99,
  evictionHard: {},
});

const corefile = (folder: string): string => `.:53 {
  errors
  ready :8181
  cache 5 {
    denial 9984 1
  }
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${folder}/coredns.kubeconfig
    ttl 5
  }
}
`;

const localPathConfig = (folder: string): object => ({
  nodePathMap: [{ node: "DEFAULT_PATH_FOR_NON_LISTED_NODES", paths: [`${folder}/volumes`] }],
});

const commands = ({ folder, binaries, address }: NodeParts): Commands => ({
  containerd: [binaries.path("containerd"), `--config=${folder}/containerd.toml`],
  "kube-scheduler": [
    binaries.path("kube-scheduler"),
    `--kubeconfig=${folder}/kube-scheduler.kubeconfig`,
    "--leader-elect=false",
    // A pod is tried again after this even where no event said so: a claim's late class goes unnoticed now and then, by default for 5 minutes.
    "--pod-max-in-unschedulable-pods-duration=20s",
    "--secure-port=0",
  ],
  kubelet: [
    binaries.path("kubelet"),
    `--config=${folder}/kubelet.json`,
    `--kubeconfig=${folder}/kubelet.kubeconfig`,
    `--hostname-override=${nodeName}`,
    `--root-dir=${folder}/kubelet`,
    `--node-ip=${address}`,
  ],
  "kube-proxy": [
    binaries.path("kube-proxy"),
    `--kubeconfig=${folder}/kube-proxy.kubeconfig`,
    `--hostname-override=${nodeName}`,
    "--proxy-mode=iptables",
    `--cluster-cidr=${podNetwork}`,
    // Two pods on one bridge would answer each other past the address translation where br_netfilter is missing.
    "--masquerade-all",
    "--iptables-min-sync-period=200ms",
    // These are the whole machine's settings.
    "--conntrack-max-per-core=0",
    "--conntrack-min=0",
    "--conntrack-tcp-timeout-established=0s",
    "--conntrack-tcp-timeout-close-wait=0s",
  ],
  coredns: [binaries.path("coredns"), `-conf=${folder}/Corefile`],
  "local-path-provisioner": [
    binaries.path("local-path-provisioner"),
    "start",
    `--config=${folder}/local-path.json`,
    `--kubeconfig=${folder}/local-path-provisioner.kubeconfig`,
  ],
});

/** Writes the node's files and gives its commands, and the snapshotter to import images with. */
export const nodeCommands = async (
  parts: NodeParts,
): Promise<{ commands: Commands; snapshotter: string }> => {
  const { folder } = parts;
  const snapshotter = await snapshotterFor(folder);
  await Promise.all(["cni", "containerd", "podlogs", "volumes"].map((name) => mkdir(join(folder, name))));
  const files: Record<string, string | object> = {
    "containerd.toml": containerdConfig(folder, parts.binaries.folder, snapshotter),
    "cni/10-bridge.conflist": cniConfig(folder),
    "kubelet.json": kubeletConfig(parts),
    Corefile: corefile(folder),
    "local-path.json": localPathConfig(folder),
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content, null, 2),
    );
  }
  return { commands: commands(parts), snapshotter };
};
