/**
 * What a SampleDB gets where it says nothing. Small on purpose: the default must fit into a developer's cluster and a namespace quota;
 * whoever puts real data in names a size.
 */
export const DEFAULTS = {
  storage: { size: "1Gi" },
  database: { name: "app", owner: "app" },
  resources: {
    requests: { cpu: "100m", memory: "256Mi" },
    limits: { cpu: "1", memory: "512Mi" },
  },
  deletion: { policy: "Retain", protection: false },
} as const;
