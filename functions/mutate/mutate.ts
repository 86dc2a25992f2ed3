import { readStructure } from "../shared/api/structure.ts";
import { violationsOf } from "../shared/api/violations-of.ts";
import { keptResources } from "../shared/api/warnings-of.ts";
import { withDefaults } from "../shared/api/with-defaults.ts";
import type { AdmissionFunction } from "../shared/serve/admission-review.ts";
import { additions } from "./additions.ts";

/**
 * Fills in what a SampleDB leaves open and puts the finalizer on it. Also judges the result: this is the only point before the
 * API server's own schema check, which would stop at the first kind of fault; here all are told at once.
 */
export const mutate: AdmissionFunction = {
  name: "mutate",
  review: ({ object, oldObject, subResource }, catalog) => {
    if (object === undefined || subResource !== "") return { allowed: true };
    const { sampledb, violations: shape } = readStructure(object);
    if (sampledb.metadata.deletionTimestamp !== undefined) return { allowed: true };
    const before = oldObject === undefined ? undefined : readStructure(oldObject).sampledb;
    const filled = withDefaults(sampledb, before, catalog);
    const violations = [...shape, ...violationsOf({ object: filled, oldObject, catalog })];
    if (violations.length > 0) return { allowed: false, violations };
    return {
      allowed: true,
      patch: additions(
        { metadata: object["metadata"], spec: object["spec"] },
        { metadata: filled.metadata, spec: filled.spec },
      ),
      warnings: keptResources(sampledb, filled, before),
    };
  },
};
