/** Kinds of children: each carries the label that names its SampleDB, and a name that derives from the SampleDB's. */
export const CHILD_KINDS = [
  "Secret",
  "ConfigMap",
  "Service",
  "PersistentVolumeClaim",
  "StatefulSet",
  "PodDisruptionBudget",
  "Job",
  "Pod",
] as const;
