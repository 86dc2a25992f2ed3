import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { mutate } from "../../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG as catalog } from "../../../functions/shared/api/catalog.ts";
import { answerCall } from "../../../functions/shared/serve/admission-answer.ts";
import { withoutUnread } from "../../../functions/shared/serve/without-unread.ts";
import { validate } from "../../../functions/validate/validate.ts";
import { VERDICTS } from "../../support/verdicts/index.ts";

const cut = (value: unknown, space?: number): unknown =>
  JSON.parse(withoutUnread(Buffer.from(JSON.stringify(value, null, space))).toString());

const UNREAD = ["labels", "annotations", "managedFields", "ownerReferences"];

const nulled = (holder: unknown, fields: readonly string[]): void => {
  if (typeof holder !== "object" || holder === null) return;
  for (const field of fields) if (Object.hasOwn(holder, field)) Reflect.set(holder, field, null);
};

/** The same by a parser: the model that the scanner is held against. */
const parsed = (value: unknown): unknown => {
  const review = JSON.parse(JSON.stringify(value));
  nulled(review.request, ["userInfo"]);
  nulled(review.request.object?.metadata, UNREAD);
  nulled(review.request.oldObject?.metadata, UNREAD);
  return review;
};

describe("withoutUnread", () => {
  it("cuts the same as a parser would, whatever stands there and between", () => {
    const any = fc.jsonValue();
    const metadata = fc.dictionary(fc.constantFrom(...UNREAD, "name", "finalizers"), any, {
      noNullPrototype: true,
    });
    const object = fc.oneof(any, fc.record({ metadata: fc.oneof(metadata, any), spec: any, labels: any }));
    const review = fc.record({
      uid: any,
      request: fc.record({ object, oldObject: object, userInfo: any, metadata }),
    });
    const space = fc.constantFrom(undefined, 1, 2);
    fc.assert(
      fc.property(review, space, (value, spaces) => assert.deepEqual(cut(value, spaces), parsed(value))),
      { numRuns: 1000 },
    );
  });

  it("cuts at quotes, backslashes and brackets in texts as a parser does", () => {
    for (const text of ['"', "\\", '\\"', "}", "]},{", "\\\\\\", ',"labels":{', "ä€😀"]) {
      const metadata = { [text]: text, labels: { [text]: text }, name: text };
      const review = { request: { object: { metadata, spec: { [text]: [text] } } } };
      assert.deepEqual(cut(review), parsed(review));
    }
  });

  it("leaves whole what is no JSON", () => {
    for (const text of [
      "",
      "{",
      '{"request":',
      '{"request":{"object":{"metadata":{"labels":{',
      '{"a" 1}',
      "[1]",
      '{"a":1',
      "{a:1}",
    ]) {
      const bytes = Buffer.from(text);
      assert.equal(withoutUnread(bytes).toString(), text);
    }
  });

  it("changes the answer to no review", () => {
    const added = {
      labels: { a: "b" },
      annotations: { "c/d": "e" },
      managedFields: [{}],
      ownerReferences: [],
    };
    for (const { object, before } of VERDICTS) {
      const request = {
        uid: "1",
        kind: { group: "sampledb.dev", kind: "SampleDB" },
        operation: before === undefined ? "CREATE" : "UPDATE",
        object: { ...object, metadata: { ...Object(object["metadata"]), ...added } },
        oldObject: before ?? null,
      };
      const body = Buffer.from(
        JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request }),
      );
      for (const fn of [mutate, validate])
        assert.deepEqual(answerCall(fn, withoutUnread(body), catalog), answerCall(fn, body, catalog));
    }
  });
});
