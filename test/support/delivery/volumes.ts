import type { ObjectMeta } from "../../../functions/shared/api/sampledb.ts";

const PROVISIONER = "example.com/none";

/** The class whose volumes the imagined provisioner makes, the cluster's default. */
export const STORAGE_CLASS = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: PROVISIONER,
};

/** The volume that the imagined provisioner makes for a claim of a namespace. */
export const volumeFor = (namespace: string, { name = "", uid = "" }: ObjectMeta): object => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: `pvc-${uid}`, annotations: { "pv.kubernetes.io/provisioned-by": PROVISIONER } },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    persistentVolumeReclaimPolicy: "Delete",
    storageClassName: STORAGE_CLASS.metadata.name,
    hostPath: { path: `/var/lib/imagined/${uid}` },
    claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid },
  },
});
