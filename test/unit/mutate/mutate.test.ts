import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { applyPatch } from "rfc6902";
import { mutate } from "../../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { FINALIZER } from "../../../functions/shared/api/markers.ts";
import type { SampleDB } from "../../../functions/shared/api/sampledb.ts";
import { violationText } from "../../../functions/shared/api/violation.ts";
import type { Verdict } from "../../../functions/shared/serve/admission-review.ts";
import { arbitrarySampleDB } from "../../support/arbitrary-sampledb.ts";
import { makeAdmissionRequest } from "../../support/make-review.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { invalidSamples } from "../../support/read-samples.ts";

const review = (object: SampleDB, oldObject?: SampleDB): Verdict =>
  mutate.review(makeAdmissionRequest(object, oldObject), BUILT_IN_CATALOG);

/** The object as the API server has it after the patch; undefined where it was denied. */
const patched = (object: SampleDB, oldObject?: SampleDB): SampleDB | undefined => {
  const verdict = review(object, oldObject);
  if (!verdict.allowed) return undefined;
  const document = structuredClone(object);
  const results = applyPatch(document, [...(verdict.patch ?? [])]);
  assert.ok(results.every((result) => result === null));
  return document;
};

/** Every value of `part` stands in `whole`, at its place. */
const contains = (whole: unknown, part: unknown): boolean => {
  if (typeof part !== "object" || part === null) return whole === part;
  if (Array.isArray(part)) return Array.isArray(whole) && part.every((item) => whole.includes(item));
  const fields = new Map(typeof whole === "object" && whole !== null ? Object.entries(whole) : []);
  return Object.entries(part).every(([name, value]) => contains(fields.get(name), value));
};

const fields = (value: unknown) => (typeof value === "object" && value !== null ? { ...value } : undefined);

describe("mutate", () => {
  it("never changes what the user set", () => {
    fc.assert(
      fc.property(arbitrarySampleDB, (sent) => {
        const stored = patched(sent);
        assert.ok(stored === undefined || contains(stored, sent));
      }),
    );
  });

  it("is idempotent: what it filled in once it leaves alone", () => {
    fc.assert(
      fc.property(arbitrarySampleDB, (sent) => {
        const stored = patched(sent);
        fc.pre(stored !== undefined);
        assert.deepEqual(review(stored, stored), { allowed: true, patch: [], warnings: [] });
        assert.deepEqual(patched(stored), stored);
      }),
    );
  });

  it("pins everything that data depends on", () => {
    fc.assert(
      fc.property(arbitrarySampleDB, (sent) => {
        const stored = patched(sent);
        fc.pre(stored !== undefined);
        const pinned = JSON.stringify(stored.spec);
        for (const field of ["version", "size", "name", "owner", "cpu", "memory"])
          assert.ok(pinned.includes(`"${field}":`), field);
        assert.equal(stored.metadata.finalizers?.filter((each) => each === FINALIZER).length, 1);
      }),
    );
  });

  it("brings back what an update leaves out", () => {
    fc.assert(
      fc.property(arbitrarySampleDB, (sent) => {
        const stored = patched(sent);
        fc.pre(stored !== undefined);
        const again = patched(makeSampleDB({ metadata: { name: "orders" } }), stored);
        for (const field of ["version", "storage", "database", "resources"] as const)
          assert.deepEqual(again?.spec?.[field], stored.spec?.[field]);
      }),
    );
  });

  it("patches only what is missing", () => {
    const sent = makeSampleDB({ spec: { version: "17", database: { name: "shop" } } });
    const verdict = review(sent);
    assert.deepEqual(verdict.allowed && verdict.patch?.map(({ path }) => path).toSorted(), [
      "/spec/database/owner",
      "/spec/resources",
      "/spec/storage",
    ]);
  });

  it("puts the finalizer back on a living object that lost it", () => {
    const stored = patched(makeSampleDB());
    assert.ok(stored !== undefined);
    const lost = { ...stored, metadata: { ...stored.metadata, finalizers: ["example.com/a"] } };
    assert.deepEqual(review(lost, stored), {
      allowed: true,
      patch: [{ op: "add", path: "/metadata/finalizers/-", value: FINALIZER }],
      warnings: [],
    });
  });

  it("lets a terminating object through as it is, even an invalid one", () => {
    const ending = makeSampleDB({
      metadata: { name: "orders", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: [] },
      spec: { image: "postgres" },
    });
    assert.deepEqual(review(ending, makeSampleDB()), { allowed: true });
  });

  it("lets deletions and subresources through", () => {
    const request = makeAdmissionRequest(makeSampleDB({ spec: { image: "postgres" } }));
    assert.deepEqual(
      mutate.review({ ...request, operation: "DELETE", object: undefined }, BUILT_IN_CATALOG),
      { allowed: true },
    );
    assert.deepEqual(mutate.review({ ...request, subResource: "status" }, BUILT_IN_CATALOG), {
      allowed: true,
    });
  });

  it("warns that resources stay when an update drops them", () => {
    const stored = patched(makeSampleDB({ spec: { resources: { limits: { memory: "4Gi" } } } }));
    const verdict = review(makeSampleDB(), stored);
    assert.deepEqual(verdict.allowed && verdict.warnings, [
      'spec.resources.limits.memory: "4Gi": stays as it was, though it was left out; set it to change it',
    ]);
  });

  for (const { file, expected, object, oldObject } of invalidSamples()) {
    it(`denies samples/invalid/${file} with every violation`, () => {
      const request = {
        ...makeAdmissionRequest(makeSampleDB()),
        object: fields(object),
        oldObject: fields(oldObject),
      };
      const verdict = mutate.review(request, BUILT_IN_CATALOG);
      assert.ok(!verdict.allowed);
      assert.deepEqual(verdict.violations.map(violationText).toSorted(), expected.toSorted());
    });
  }
});
