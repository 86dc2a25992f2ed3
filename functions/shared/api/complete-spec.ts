import type { Catalog } from "./catalog.ts";
import type { CompleteSpec, SampleDB } from "./sampledb.ts";

/** The spec with every default filled in; what the user set is never changed. Absent version: that of the data, then the catalog's. */
export const completeSpec = (sampledb: SampleDB, catalog: Catalog): CompleteSpec => {
  const spec = sampledb.spec ?? {};
  return {
    version: spec.version ?? sampledb.status?.version ?? catalog.default,
    ...(spec.image === undefined ? {} : { image: spec.image }),
    storage: { size: "1Gi", ...spec.storage },
    database: { name: "app", owner: "app", ...spec.database },
    init: spec.init ?? [],
    resources: {
      requests: { cpu: "100m", memory: "256Mi", ...spec.resources?.requests },
      limits: { cpu: "1", memory: "512Mi", ...spec.resources?.limits },
    },
    deletion: { policy: "Retain", ...spec.deletion },
    paused: spec.paused ?? false,
  };
};
