import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Binaries } from "./binaries.ts";
import type { ClusterLevel, ComponentName } from "./local-cluster.ts";

/** The first address of the service network: the API server's own Service. */
export const kubernetesServiceAddress = "10.96.0.1";
const serviceNetwork = "10.96.0.0/16";

export type ControlPlane = {
  readonly level: ClusterLevel;
  readonly folder: string;
  readonly binaries: Binaries;
  /** The address on which the API server is reached. */
  readonly address: string;
  readonly ports: { readonly api: number; readonly etcd: number; readonly peer: number };
  readonly auditLog: boolean;
};

export type Commands = Partial<Record<ComponentName, readonly string[]>>;

const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
};

const etcd = ({ folder, binaries, ports }: ControlPlane): string[] => {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.peer}`;
  return [
    binaries.path("etcd"),
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // The data is thrown away with the cluster: a lost write after a power cut does not matter.
    "--unsafe-no-fsync",
    // Alone, it need not wait long for an older leader.
    "--heartbeat-interval=20",
    "--election-timeout=200",
  ];
};

/** Loopback is no valid endpoint address, so on the level `api` the Service `kubernetes` has no endpoints. */
const listening = ({ level, address }: ControlPlane): string[] =>
  level === "api"
    ? ["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none"]
    : ["--bind-address=0.0.0.0", `--advertise-address=${address}`];

const auditing = ({ auditLog, folder }: ControlPlane): string[] =>
  auditLog
    ? [
        `--audit-policy-file=${folder}/audit-policy.json`,
        `--audit-log-path=${folder}/audit.log`,
        "--audit-log-format=json",
        "--audit-log-mode=blocking",
        // Never rotated: a test reads the file from a remembered position on.
        "--audit-log-maxsize=100000",
      ]
    : [];

const apiServer = (plane: ControlPlane): string[] => {
  const pki = join(plane.folder, "pki");
  return [
    plane.binaries.path("kube-apiserver"),
    `--etcd-servers=http://127.0.0.1:${plane.ports.etcd}`,
    `--secure-port=${plane.ports.api}`,
    ...listening(plane),
    ...auditing(plane),
    `--cert-dir=${pki}`,
    `--tls-cert-file=${pki}/apiserver.crt`,
    `--tls-private-key-file=${pki}/apiserver.key`,
    `--client-ca-file=${pki}/ca.crt`,
    `--service-account-key-file=${pki}/sa.pub`,
    `--service-account-signing-key-file=${pki}/sa.key`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-cluster-ip-range=${serviceNetwork}`,
    "--authorization-mode=Node,RBAC",
    "--allow-privileged=true",
    `--kubelet-client-certificate=${pki}/kubelet-client.crt`,
    `--kubelet-client-key=${pki}/kubelet-client.key`,
    `--kubelet-certificate-authority=${pki}/ca.crt`,
    "--kubelet-preferred-address-types=InternalIP",
    "--shutdown-delay-duration=0s",
  ];
};

const controllerManager = ({ folder, binaries }: ControlPlane): string[] => [
  binaries.path("kube-controller-manager"),
  `--kubeconfig=${folder}/kube-controller-manager.kubeconfig`,
  `--service-account-private-key-file=${folder}/pki/sa.key`,
  `--root-ca-file=${folder}/pki/ca.crt`,
  `--cluster-signing-cert-file=${folder}/pki/ca.crt`,
  `--cluster-signing-key-file=${folder}/pki/ca.key`,
  "--use-service-account-credentials",
  "--leader-elect=false",
  "--allocate-node-cidrs=false",
  "--secure-port=0",
  // The default of 20 requests a second alone makes the start four seconds longer.
  "--kube-api-qps=500",
  "--kube-api-burst=1000",
];

/** Writes the control plane's files and gives its commands. */
export const controlPlaneCommands = async (plane: ControlPlane): Promise<Commands> => {
  await writeFile(join(plane.folder, "audit-policy.json"), JSON.stringify(auditPolicy));
  await writeFile(join(plane.folder, "audit.log"), "");
  return {
    etcd: etcd(plane),
    "kube-apiserver": apiServer(plane),
    "kube-controller-manager": controllerManager(plane),
  };
};
