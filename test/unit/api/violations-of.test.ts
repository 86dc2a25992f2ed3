import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { BUILT_IN_CATALOG as catalog } from "../../../functions/shared/api/catalog.ts";
import { violationsText, violationText } from "../../../functions/shared/api/violation.ts";
import { violationsOf } from "../../../functions/shared/api/violations-of.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { invalidSamples, validSamples } from "../../support/read-samples.ts";

const pathsOf = (object: unknown, oldObject?: unknown): readonly string[] =>
  violationsOf({ object, oldObject, catalog }).map(({ path }) => path);

describe("violationsOf", () => {
  for (const { file, expected, object, oldObject } of invalidSamples()) {
    it(`refuses samples/invalid/${file} with its message`, () => {
      const texts = violationsOf({ object, oldObject, catalog }).map(violationText);
      assert.deepEqual(texts.toSorted(), expected.toSorted());
      assert.notEqual(texts.length, 0);
    });
    if (oldObject !== undefined) {
      it(`accepts what samples/invalid/${file} changes`, () => assert.deepEqual(pathsOf(oldObject), []));
    }
  }

  it("knows at least twenty invalid samples", () => assert.ok(invalidSamples().length >= 20));

  for (const { file, objects } of validSamples()) {
    it(`accepts samples/${file}`, () => {
      const sampledbs = objects.filter((object) => JSON.stringify(object).includes('"kind":"SampleDB"'));
      assert.notEqual(sampledbs.length, 0);
      for (const sampledb of sampledbs) assert.deepEqual(pathsOf(sampledb), []);
    });
  }

  it("says of a value of the wrong type only that", () => {
    assert.deepEqual(pathsOf(makeSampleDB(), makeSampleDB()), []);
    assert.deepEqual(
      pathsOf(
        { metadata: { name: "orders" }, spec: { database: 1 } },
        makeSampleDB({ spec: { database: { name: "shop" } } }),
      ),
      ["spec.database"],
    );
  });

  it("lets an object that was invalid before be edited elsewhere", () => {
    const before = { metadata: { name: "orders" }, spec: { image: "postgres" } };
    assert.deepEqual(pathsOf({ ...before, metadata: { name: "orders", labels: { a: "b" } } }, before), []);
  });

  it("refuses what an update makes wrong in another way", () => {
    const before = { metadata: { name: "orders" }, spec: { image: "postgres" } };
    assert.deepEqual(pathsOf({ ...before, spec: { image: "postgres:latest" } }, before), ["spec.image"]);
  });

  it("tells the first of a hundred thousand faults, and that they stood before", () => {
    const object = {
      metadata: { name: "orders", finalizers: Array.from({ length: 100_000 }, () => 1) },
      spec: {},
    };
    assert.deepEqual(pathsOf(object, object), []);
    const [first, ...others] = pathsOf(object, makeSampleDB());
    assert.equal(first, "metadata.finalizers[0]");
    assert.ok(others.length < 100, `${others.length}`);
  });

  it("never throws, whatever is sent", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (object, oldObject) => {
        violationsText(violationsOf({ object, oldObject, catalog }));
      }),
    );
  });

  it("never throws on nearly right specs", () => {
    const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double());
    const spec = fc.record(
      {
        version: fc.oneof(leaf, fc.constantFrom("15", "17")),
        image: leaf,
        storage: fc.oneof(leaf, fc.record({ size: leaf, storageClassName: leaf })),
        database: fc.oneof(leaf, fc.record({ name: leaf, owner: leaf })),
        init: fc.array(fc.record({ configMapKeyRef: fc.oneof(leaf, fc.record({ name: leaf, key: leaf })) })),
        resources: fc.record({
          requests: fc.dictionary(fc.string(), leaf),
          limits: fc.dictionary(fc.string(), leaf),
        }),
        deletion: fc.record({ policy: leaf }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(spec, spec, (now, then) => {
        const found = violationsOf({
          object: { metadata: { name: "orders" }, spec: now },
          oldObject: { metadata: { name: "orders" }, spec: then },
          catalog,
        });
        for (const violation of found) assert.match(violationText(violation), /^spec\..+: /su);
      }),
    );
  });
});

describe("violationsText", () => {
  it("cuts long values", () => {
    const text = violationText({ path: "spec.image", value: "x".repeat(10_000), message: "is wrong" });
    assert.ok(text.length < 200);
    assert.match(text, /…: is wrong$/u);
  });

  it("counts what it does not show", () => {
    const many = Array.from({ length: 25 }, (_, index) => ({
      path: `spec.init[${index}]`,
      value: undefined,
      message: "is wrong",
    }));
    assert.match(violationsText(many), /; and 5 more$/u);
  });
});

describe("violationText", () => {
  const deep = JSON.parse(`${'[{"a":'.repeat(100_000)}1${"}]".repeat(100_000)}`);

  it("shows of a value that is nested without end its beginning", () => {
    assert.match(
      violationText({ path: "spec.storage", value: deep, message: "is wrong" }),
      /^spec\.storage: (\[\{"a":){13}\[\{…: is wrong$/u,
    );
  });

  it("shows a short value as JSON", () => {
    for (const value of [{ a: [1, "b", null], "c\n": {} }, [], {}, 'ä"', 0, true, null, [[]]])
      assert.equal(
        violationText({ path: "spec", value, message: "is wrong" }),
        `spec: ${JSON.stringify(value)}: is wrong`,
      );
  });

  it("judges nesting without end, before and after an update", () => {
    for (const spec of [{ storage: deep }, { storage: { size: deep } }, { init: deep }, { other: deep }])
      assert.doesNotThrow(() =>
        pathsOf({ metadata: { name: "orders" }, spec }, { metadata: { name: "orders" }, spec }),
      );
  });
});
