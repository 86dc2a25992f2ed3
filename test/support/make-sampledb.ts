import type {
  ObjectMeta,
  SampleDB,
  SampleDBSpec,
  SampleDBStatus,
} from "../../functions/shared/api/sampledb.ts";

/** A living SampleDB `orders` in namespace `shop`, as the API server returns it; each part can be overridden. */
export const makeSampleDB = (
  overrides: {
    readonly metadata?: ObjectMeta;
    readonly spec?: SampleDBSpec;
    readonly status?: SampleDBStatus;
  } = {},
): SampleDB => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: {
    name: "orders",
    namespace: "shop",
    uid: "uid-orders",
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: "2026-01-01T00:00:00Z",
    finalizers: ["sampledb.dev/retire"],
    ...overrides.metadata,
  },
  spec: overrides.spec ?? {},
  ...(overrides.status === undefined ? {} : { status: overrides.status }),
});
