import type { Catalog } from "./catalog.ts";
import { completeResources } from "./complete-resources.ts";
import { completeSpec } from "./complete-spec.ts";
import { FINALIZER } from "./markers.ts";
import type { Quantity, Resources, SampleDB, SampleDBSpec } from "./sampledb.ts";

/** Fields that data or a running pod depend on: where an update leaves them out, they stay what they are. */
const inherited = (spec: SampleDBSpec, before: SampleDBSpec): SampleDBSpec => ({
  ...(before.version === undefined ? {} : { version: before.version }),
  ...spec,
  storage: { ...before.storage, ...spec.storage },
  database: { ...before.database, ...spec.database },
});

type Amounts = Readonly<Record<string, Quantity>>;

/** `filled` with the amounts that `earlier` has too in the spelling that they have there. */
const asSpelled = (filled: Readonly<Record<string, string>>, earlier: Amounts = {}): Amounts =>
  Object.fromEntries(
    Object.entries(filled).map(([name, amount]) => {
      const spelled = earlier[name];
      return [name, spelled !== undefined && String(spelled) === amount ? spelled : amount];
    }),
  );

const filledResources = (given: Resources = {}, before: SampleDB | undefined): Resources => {
  const earlier = before?.spec?.resources;
  const filled = completeResources(given, before && completeResources(earlier));
  return {
    requests: { ...asSpelled(filled.requests, earlier?.requests), ...given.requests },
    limits: { ...asSpelled(filled.limits, earlier?.limits), ...given.limits },
  };
};

const withFinalizer = (finalizers: readonly string[] = []): readonly string[] =>
  finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER];

/**
 * The SampleDB with everything written out that is pinned when it is admitted: version, storage, database, resources, and the finalizer. Adds
 * only; what is set stays as it was written. `before` is the object that an update replaces. A terminating object comes back unchanged:
 * the API server refuses a finalizer on it, and nothing will be made for it.
 */
export const withDefaults = (
  sampledb: SampleDB,
  before: SampleDB | undefined,
  catalog: Catalog,
): SampleDB => {
  if (sampledb.metadata.deletionTimestamp !== undefined) return sampledb;
  const spec = inherited(sampledb.spec ?? {}, before?.spec ?? {});
  // The status that a user sends counts for nothing, so only that of the stored object says what the data is.
  const { status: _ignored, ...unobserved } = sampledb;
  const observed = before?.status === undefined ? {} : { status: before.status };
  const complete = completeSpec({ ...unobserved, ...observed, spec }, catalog);
  return {
    ...sampledb,
    metadata: { ...sampledb.metadata, finalizers: withFinalizer(sampledb.metadata.finalizers) },
    spec: {
      ...spec,
      version: complete.version,
      storage: { ...complete.storage, ...spec.storage },
      database: complete.database,
      resources: filledResources(spec.resources, before),
    },
  };
};
