import { readStructure } from "../shared/api/structure.ts";
import { violationsOf } from "../shared/api/violations-of.ts";
import { warningsOf } from "../shared/api/warnings-of.ts";
import type { AdmissionFunction } from "../shared/serve/admission-review.ts";

/** Judges the final object, since another webhook may have changed it after mutate; and warns of what is allowed but probably not meant. */
export const validate: AdmissionFunction = {
  name: "validate",
  review: ({ object, oldObject, subResource }, catalog) => {
    if (object === undefined || subResource !== "") return { allowed: true };
    const { sampledb } = readStructure(object);
    if (sampledb.metadata.deletionTimestamp !== undefined) return { allowed: true };
    const violations = violationsOf({ object, oldObject, catalog });
    if (violations.length > 0) return { allowed: false, violations };
    const before = oldObject === undefined ? undefined : readStructure(oldObject).sampledb;
    return { allowed: true, warnings: warningsOf(sampledb, before) };
  },
};
