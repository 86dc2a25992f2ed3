import type { StatefulSet } from "./kinds.ts";

const mounts = ({ spec }: StatefulSet, claim: string): boolean =>
  (spec?.template.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim?.claimName === claim);

const isReady = ({ status, metadata }: StatefulSet): boolean =>
  (status?.readyReplicas ?? 0) >= 1 && status?.observedGeneration === metadata?.generation;

/** The StatefulSet whose pod mounts this claim and is Ready: PostgreSQL accepts connections on that volume. */
export const servingOn = (claim: string, statefulSets: readonly StatefulSet[]): StatefulSet | undefined =>
  statefulSets.find((statefulSet) => isReady(statefulSet) && mounts(statefulSet, claim));
