import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { SampleDB } from "../../../functions/shared/api/sampledb.ts";
import type { Verdict } from "../../../functions/shared/serve/admission-review.ts";
import { validate } from "../../../functions/validate/validate.ts";
import { makeAdmissionRequest } from "../../support/make-review.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const review = (object: SampleDB, oldObject?: SampleDB): Verdict =>
  validate.review(makeAdmissionRequest(object, oldObject), BUILT_IN_CATALOG);

describe("validate", () => {
  it("allows a valid object without a patch", () => {
    assert.deepEqual(review(makeSampleDB()), { allowed: true, warnings: [] });
  });

  it("denies what another webhook made wrong after mutate", () => {
    const verdict = review(makeSampleDB({ spec: { image: "postgres:latest", paused: true } }));
    assert.deepEqual(!verdict.allowed && verdict.violations.map(({ path }) => path), ["spec.image"]);
  });

  it("denies a change of what cannot change", () => {
    const verdict = review(
      makeSampleDB({ spec: { version: "17" } }),
      makeSampleDB({ spec: { version: "16" } }),
    );
    assert.deepEqual(!verdict.allowed && verdict.violations.map(({ path }) => path), ["spec.version"]);
  });

  it("warns of what is allowed but probably not meant", () => {
    const verdict = review(makeSampleDB({ spec: { deletion: { policy: "Wipe" } } }));
    assert.equal(verdict.allowed && verdict.warnings?.length, 1);
  });

  it("warns of what was wrong before and still is", () => {
    const before = makeSampleDB({ spec: { image: "postgres" } });
    const verdict = review(makeSampleDB({ spec: { image: "postgres", paused: true } }), before);
    assert.match(
      (verdict.allowed && verdict.warnings?.join()) || "",
      /^spec\.image: "postgres": was wrong before, and nothing is done for this SampleDB until it is right: it must name a tag/u,
    );
  });

  it("lets a terminating object, a deletion and a subresource through", () => {
    const wrong = { image: "postgres" };
    assert.deepEqual(
      review(
        makeSampleDB({
          metadata: { name: "orders", deletionTimestamp: "2026-01-01T00:00:00Z" },
          spec: wrong,
        }),
      ),
      { allowed: true },
    );
    const request = makeAdmissionRequest(makeSampleDB({ spec: wrong }));
    assert.deepEqual(
      validate.review({ ...request, operation: "DELETE", object: undefined }, BUILT_IN_CATALOG),
      { allowed: true },
    );
    assert.deepEqual(validate.review({ ...request, subResource: "status" }, BUILT_IN_CATALOG), {
      allowed: true,
    });
  });
});
