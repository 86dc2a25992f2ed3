import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");

/** A Pepr module with the very rules and defaults of the functions, which it imports. */
export const PEPR_MODULE = `
import { Capability, PeprModule, RegisterKind, a } from "pepr";
import { catalogFrom } from "${ROOT}/functions/shared/serve/catalog-file.ts";
import { readStructure } from "${ROOT}/functions/shared/api/structure.ts";
import { violationText, violationsText } from "${ROOT}/functions/shared/api/violation.ts";
import { violationsOf } from "${ROOT}/functions/shared/api/violations-of.ts";
import { warningsOf } from "${ROOT}/functions/shared/api/warnings-of.ts";
import { withDefaults } from "${ROOT}/functions/shared/api/with-defaults.ts";

class SampleDB extends a.GenericKind {}
RegisterKind(SampleDB, { group: "sampledb.dev", version: "v1", kind: "SampleDB", plural: "sampledbs" });

const catalog = catalogFrom(process.env.CATALOG_DIR)();
const capability = new Capability({ name: "sampledb", description: "SampleDB's admission", namespaces: [] });

capability
  .When(SampleDB)
  .IsCreatedOrUpdated()
  .Mutate((change) => {
    const { sampledb, violations: shape } = readStructure(change.Raw);
    if (sampledb.metadata.deletionTimestamp !== undefined) return;
    const oldObject = change.OldResource;
    const before = oldObject ? readStructure(oldObject).sampledb : undefined;
    const filled = withDefaults(sampledb, before, catalog);
    const violations = [...shape, ...violationsOf({ object: filled, oldObject, catalog })];
    if (violations.length > 0) throw new Error(violationsText(violations));
    change.Raw.spec = { ...change.Raw.spec, ...filled.spec };
    change.Raw.metadata.finalizers = filled.metadata.finalizers;
  });

capability
  .When(SampleDB)
  .IsCreatedOrUpdated()
  .Validate((review) => {
    const { sampledb } = readStructure(review.Raw);
    if (sampledb.metadata.deletionTimestamp !== undefined) return review.Approve();
    const oldObject = review.OldResource;
    const violations = violationsOf({ object: review.Raw, oldObject, catalog });
    if (violations.length > 0) return review.Deny(violationsText(violations));
    return review.Approve(warningsOf(sampledb, oldObject ? readStructure(oldObject).sampledb : undefined));
  });

const pepr = { uuid: "bench", onError: "reject", webhookTimeout: 10, alwaysIgnore: { namespaces: [] }, includedFiles: [], env: {} };
const description = { description: "bench", pepr };
new PeprModule(description, [capability], { deferStart: true }).start(Number(process.env.PORT));
`;
