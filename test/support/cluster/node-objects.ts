import type { ApiClient } from "./api-client.ts";
import { dnsAddress } from "./node-components.ts";
import { waitUntil } from "./wait-until.ts";

const storage = "local-path-storage";
const ports = [
  { name: "dns", protocol: "UDP", port: 53 },
  { name: "dns-tcp", protocol: "TCP", port: 53 },
];

/** Runs as root whatever its image says: a volume's parent folder belongs to root. */
const helperPod = (image: string): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "helper-pod" },
  spec: {
    priorityClassName: "system-node-critical",
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: "helper-pod",
        image,
        imagePullPolicy: "IfNotPresent",
        securityContext: { runAsUser: 0, runAsGroup: 0 },
      },
    ],
  },
});

/** What a node needs in the API: cluster DNS in front of the CoreDNS process, and local-path as the default StorageClass. */
const objects = (address: string, helperImage: string): { path: string; body: object }[] => [
  {
    path: "/api/v1/namespaces/kube-system/services/kube-dns",
    body: { apiVersion: "v1", kind: "Service", spec: { clusterIP: dnsAddress, ports } },
  },
  {
    path: "/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices/kube-dns-node",
    body: {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { labels: { "kubernetes.io/service-name": "kube-dns" } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports,
    },
  },
  { path: `/api/v1/namespaces/${storage}`, body: { apiVersion: "v1", kind: "Namespace" } },
  {
    path: `/api/v1/namespaces/${storage}/serviceaccounts/local-path-provisioner-service-account`,
    body: { apiVersion: "v1", kind: "ServiceAccount" },
  },
  {
    path: `/api/v1/namespaces/${storage}/configmaps/local-path-config`,
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      data: {
        setup: '#!/bin/sh\nset -eu\nmkdir -m 0777 -p "$VOL_DIR"\n',
        teardown: '#!/bin/sh\nset -eu\nrm -rf "$VOL_DIR"\n',
        "helperPod.yaml": JSON.stringify(helperPod(helperImage)),
      },
    },
  },
  {
    path: "/apis/storage.k8s.io/v1/storageclasses/local-path",
    body: {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "rancher.io/local-path",
      volumeBindingMode: "WaitForFirstConsumer",
      reclaimPolicy: "Delete",
    },
  },
];

/** Puts the node's objects into the API; `address` is where CoreDNS listens. */
export const applyNodeObjects = async (
  api: ApiClient,
  address: string,
  helperImage: string,
): Promise<void> => {
  for (const { path, body } of objects(address, helperImage)) {
    const metadata = "metadata" in body && typeof body.metadata === "object" ? body.metadata : {};
    const object = { ...body, metadata: { ...metadata, name: path.split("/").at(-1) } };
    // What has just started may refuse for a moment: the allocator of Service addresses, say.
    const applied = (): Promise<true> => api.apply(path, object).then(() => true);
    await waitUntil(applied, { what: `making ${path}`, timeoutMs: 120_000 });
  }
};
