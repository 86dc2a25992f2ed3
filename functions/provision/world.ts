import type { Observed } from "../shared/kube/observed.ts";

/** The kinds that `provision` reads. */
export const READS = [
  "Secret",
  "ConfigMap",
  "Service",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "StatefulSet",
  "PodDisruptionBudget",
] as const;

export type World = Observed<(typeof READS)[number]>;
