import { mutate } from "../../mutate/mutate.ts";
import type { Catalog } from "../../shared/api/catalog.ts";
import type { SampleDB } from "../../shared/api/sampledb.ts";
import { readStructure } from "../../shared/api/structure.ts";
import { type Violation, violationText } from "../../shared/api/violation.ts";
import { withDefaults } from "../../shared/api/with-defaults.ts";
import type { AdmissionRequest } from "../../shared/serve/admission-review.ts";
import { validate } from "../validate.ts";
import { type Fields, isFields } from "./manifests-in.ts";
import { metadataFaults } from "./metadata-faults.ts";
import { manifestSchema } from "./manifest-schema.ts";
import { unknownFields } from "./unknown-fields.ts";

/** What there is to tell of one SampleDB, as if it were created now. */
export type Judgement = {
  readonly violations: readonly Violation[];
  /** Each begins with its field path, as admission tells them. */
  readonly warnings: readonly string[];
  /** What the cluster would hold; undefined where it is refused. */
  readonly filled: SampleDB | undefined;
};

/** What the API server makes of an object that is created: it is not being deleted, and has no status. */
const asCreated = (object: Fields): Fields => {
  const { status: _status, ...rest } = object;
  if (!isFields(rest["metadata"])) return rest;
  const { deletionTimestamp: _deletion, ...metadata } = rest["metadata"];
  return { ...rest, metadata };
};

const requestFor = (object: Fields): AdmissionRequest => ({
  uid: "offline",
  operation: "CREATE",
  subResource: "",
  namespace: "",
  name: "",
  object,
  oldObject: undefined,
});

const refused = (violations: readonly Violation[]): Judgement => ({
  violations,
  warnings: [],
  filled: undefined,
});

/** The two functions of admission, one after the other, as in a cluster. */
const judgeByAdmission = (object: Fields, catalog: Catalog): Judgement => {
  const first = mutate.review(requestFor(object), catalog);
  if (!first.allowed) return refused(first.violations);
  const filled = withDefaults(readStructure(object).sampledb, undefined, catalog);
  const second = validate.review(requestFor(filled), catalog);
  if (!second.allowed) return refused(second.violations);
  return { violations: [], warnings: [...(first.warnings ?? []), ...(second.warnings ?? [])], filled };
};

/** Judges a SampleDB by the rules of admission, and by what the API server refuses before admission is asked. */
export const judgeSampleDB = (object: Fields, catalog: Catalog): Judgement => {
  const created = asCreated(object);
  const judged = judgeByAdmission(created, catalog);
  const early = [...unknownFields(manifestSchema, object), ...metadataFaults(created["metadata"])];
  const known = new Set(judged.violations.map(violationText));
  const violations = [...judged.violations, ...early.filter((found) => !known.has(violationText(found)))];
  return violations.length === 0 ? judged : { ...judged, violations, filled: undefined };
};
