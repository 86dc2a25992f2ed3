import type {
  CoreV1Event,
  V1ConfigMap,
  V1Job,
  V1Namespace,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1Secret,
  V1Service,
  V1StatefulSet,
  V1StorageClass,
} from "@kubernetes/client-node";
import type { SampleDB } from "../api/sampledb.ts";
import type { Wire } from "./wire.ts";

export type Secret = Wire<V1Secret>;
export type ConfigMap = Wire<V1ConfigMap>;
export type Service = Wire<V1Service>;
export type PersistentVolumeClaim = Wire<V1PersistentVolumeClaim>;
export type PersistentVolume = Wire<V1PersistentVolume>;
export type StatefulSet = Wire<V1StatefulSet>;
export type PodDisruptionBudget = Wire<V1PodDisruptionBudget>;
export type Job = Wire<V1Job>;
export type Pod = Wire<V1Pod>;
export type StorageClass = Wire<V1StorageClass>;
export type Event = Wire<CoreV1Event>;

/** Every kind that a reconcile function reads or writes. */
export type Kinds = {
  readonly SampleDB: SampleDB;
  readonly Secret: Secret;
  readonly ConfigMap: ConfigMap;
  readonly Service: Service;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly PersistentVolume: PersistentVolume;
  readonly StatefulSet: StatefulSet;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly Job: Job;
  readonly Pod: Pod;
  readonly StorageClass: StorageClass;
  readonly Event: Event;
  /** Read for its labels, never written. */
  readonly Namespace: Wire<V1Namespace>;
};
export type Kind = keyof Kinds;

/** Where the API server serves a kind. */
export type Resource = { readonly apiVersion: string; readonly plural: string; readonly namespaced: boolean };

export const RESOURCES: { readonly [K in Kind]: Resource } = {
  SampleDB: { apiVersion: "sampledb.dev/v1", plural: "sampledbs", namespaced: true },
  Secret: { apiVersion: "v1", plural: "secrets", namespaced: true },
  ConfigMap: { apiVersion: "v1", plural: "configmaps", namespaced: true },
  Service: { apiVersion: "v1", plural: "services", namespaced: true },
  PersistentVolumeClaim: { apiVersion: "v1", plural: "persistentvolumeclaims", namespaced: true },
  PersistentVolume: { apiVersion: "v1", plural: "persistentvolumes", namespaced: false },
  StatefulSet: { apiVersion: "apps/v1", plural: "statefulsets", namespaced: true },
  PodDisruptionBudget: { apiVersion: "policy/v1", plural: "poddisruptionbudgets", namespaced: true },
  Job: { apiVersion: "batch/v1", plural: "jobs", namespaced: true },
  Pod: { apiVersion: "v1", plural: "pods", namespaced: true },
  StorageClass: { apiVersion: "storage.k8s.io/v1", plural: "storageclasses", namespaced: false },
  Event: { apiVersion: "v1", plural: "events", namespaced: true },
  Namespace: { apiVersion: "v1", plural: "namespaces", namespaced: false },
};
