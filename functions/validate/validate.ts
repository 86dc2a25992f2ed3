import { readStructure } from "../shared/api/structure.ts";
import { violationText } from "../shared/api/violation.ts";
import type { Violation } from "../shared/api/violation.ts";
import { judgementOf } from "../shared/api/violations-of.ts";
import { warningsOf } from "../shared/api/warnings-of.ts";
import type { AdmissionFunction } from "../shared/serve/admission-review.ts";

/** An object that broke a rule before may be edited elsewhere; the functions leave its children alone all the same. */
const stillWrong = (violation: Violation): string =>
  violationText({
    ...violation,
    message: `was wrong before, and nothing is done for this SampleDB until it is right: it ${violation.message}`,
  });

/** Judges the final object, since another webhook may have changed it after mutate; and warns of what is allowed but probably not meant. */
export const validate: AdmissionFunction = {
  name: "validate",
  review: ({ object, oldObject, subResource }, catalog) => {
    if (object === undefined || subResource !== "") return { allowed: true };
    const { sampledb } = readStructure(object);
    if (sampledb.metadata.deletionTimestamp !== undefined) return { allowed: true };
    const { violations, standing } = judgementOf({ object, oldObject, catalog });
    if (violations.length > 0) return { allowed: false, violations };
    const before = oldObject === undefined ? undefined : readStructure(oldObject).sampledb;
    return {
      allowed: true,
      warnings: [...standing.slice(0, 5).map(stillWrong), ...warningsOf(sampledb, before)],
    };
  },
};
