import type { Catalog } from "./catalog.ts";
import { completeResources } from "./complete-resources.ts";
import { DEFAULTS } from "./defaults.ts";
import type { CompleteSpec, SampleDB, SampleDBSpec } from "./sampledb.ts";

const completeStorage = (given: SampleDBSpec["storage"]): CompleteSpec["storage"] => ({
  ...given,
  size: String(given?.size ?? DEFAULTS.storage.size),
});

/**
 * The spec with every default filled in; what the user set is never changed (a quantity written as a number becomes text). Absent
 * version: that of the data, then the catalog's default. No default derives from the name: under generateName there is none yet.
 */
export const completeSpec = (sampledb: SampleDB, catalog: Catalog): CompleteSpec => {
  const spec = sampledb.spec ?? {};
  return {
    version: spec.version ?? sampledb.status?.version ?? catalog.default,
    ...(spec.image === undefined ? {} : { image: spec.image }),
    storage: completeStorage(spec.storage),
    database: { ...DEFAULTS.database, ...spec.database },
    init: spec.init ?? [],
    resources: completeResources(spec.resources),
    deletion: { ...DEFAULTS.deletion, ...spec.deletion },
    paused: spec.paused ?? false,
  };
};
