/** What Pod Security "restricted" asks of a pod. User 999 is `postgres` in the official images; by number, so that the kubelet can prove it. */
export const RESTRICTED_POD = {
  runAsNonRoot: true,
  runAsUser: 999,
  runAsGroup: 999,
  seccompProfile: { type: "RuntimeDefault" },
} as const;

/** What Pod Security "restricted" asks of a container, and a root file system that nothing can write. */
export const RESTRICTED_CONTAINER = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
} as const;
