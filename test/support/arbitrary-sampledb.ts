import * as fc from "fast-check";
import type { SampleDB, SampleDBSpec } from "../../functions/shared/api/sampledb.ts";

const amounts = (memory: readonly string[]): fc.Arbitrary<Readonly<Record<string, string | number>>> =>
  fc.record(
    { cpu: fc.constantFrom("50m", 1, "2", "2500m"), memory: fc.constantFrom(...memory) },
    { requiredKeys: [] },
  );

const spec: fc.Arbitrary<SampleDBSpec> = fc.record(
  {
    version: fc.constantFrom("15", "16", "17", "18"),
    image: fc.constantFrom("example.com/postgres:stable", "example.com/postgres:edge"),
    storage: fc.record(
      { size: fc.constantFrom("1Gi", "20Gi"), storageClassName: fc.constantFrom("fast", "slow") },
      { requiredKeys: [] },
    ),
    database: fc.record(
      { name: fc.constantFrom("app", "shop"), owner: fc.constantFrom("app", "keeper") },
      { requiredKeys: [] },
    ),
    resources: fc.record(
      { requests: amounts(["64Mi", "1Gi"]), limits: amounts(["1Gi", "2Gi"]) },
      { requiredKeys: [] },
    ),
    deletion: fc.record(
      { policy: fc.constantFrom("Retain" as const, "Wipe" as const), protection: fc.boolean() },
      { requiredKeys: [] },
    ),
    paused: fc.boolean(),
  },
  { requiredKeys: [] },
);

const finalizers = fc.subarray(["example.com/a", "sampledb.dev/retire", "example.com/b"]);

const metadata = fc.record(
  { name: fc.constant("orders"), namespace: fc.constant("shop"), finalizers },
  { requiredKeys: ["name"] },
);

/** SampleDBs whose every part may be missing; valid, save that a request may exceed its limit. */
export const arbitrarySampleDB: fc.Arbitrary<SampleDB> = fc.record(
  {
    apiVersion: fc.constant("sampledb.dev/v1" as const),
    kind: fc.constant("SampleDB" as const),
    metadata,
    spec,
  },
  { requiredKeys: ["apiVersion", "kind", "metadata"] },
);
