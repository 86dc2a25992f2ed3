import { ANNOTATION, LABEL } from "../../functions/shared/api/markers.ts";

const POLICIES = { orders: "Wipe", stock: "Retain" } as const;
export const NAMES = ["orders", "stock"] as const;

export const listOf = (items: readonly unknown[]): string =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

export const SCRIPTS = [
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "sql" }, data: { first: "SELECT 1" } },
  { apiVersion: "v1", kind: "Secret", metadata: { name: "sql" }, stringData: { second: "SELECT 2" } },
];

export const DATABASES = NAMES.map((name) => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name },
  spec: {
    storage: { size: "1Gi", storageClassName: "by-hand" },
    init: [
      { configMapKeyRef: { name: "sql", key: "first" } },
      { secretKeyRef: { name: "sql", key: "second" } },
    ],
    deletion: { policy: POLICIES[name] },
  },
}));

export const STORAGE = [
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "by-hand" },
    provisioner: "kubernetes.io/no-provisioner",
  },
  ...NAMES.map((name) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      claimRef: { namespace: "default", name: `${name}-1-1` },
      hostPath: { path: "/nowhere" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "by-hand",
    },
  })),
];

/** What `initialize` leaves behind. */
export const jobOf = (ownerUid: string): unknown => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    name: "orders-init",
    labels: { [LABEL.database]: "orders" },
    annotations: { [ANNOTATION.ownerUid]: ownerUid },
  },
  spec: {
    suspend: true,
    template: {
      spec: { restartPolicy: "Never", containers: [{ name: "psql", image: "registry.example.com/psql:1" }] },
    },
  },
});
