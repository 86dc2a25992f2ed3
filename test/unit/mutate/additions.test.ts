import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { applyPatch } from "rfc6902";
import { additions } from "../../../functions/mutate/additions.ts";

const applied = (before: unknown, after: unknown): unknown => {
  const document = { root: structuredClone(before) };
  const results = applyPatch(document, [...additions(document, { root: after })]);
  assert.deepEqual(
    results.filter((result) => result !== null),
    [],
  );
  return document.root;
};

describe("additions", () => {
  it("adds a field", () => {
    assert.deepEqual(additions({ a: 1 }, { a: 1, b: 2 }), [{ op: "add", path: "/b", value: 2 }]);
  });

  it("adds the highest missing parent as a whole", () => {
    assert.deepEqual(additions({}, { a: { b: { c: 1 } } }), [
      { op: "add", path: "/a", value: { b: { c: 1 } } },
    ]);
  });

  it("adds below a parent that is there", () => {
    assert.deepEqual(additions({ a: { x: 1 } }, { a: { x: 1, b: 2 } }), [
      { op: "add", path: "/a/b", value: 2 },
    ]);
  });

  it("appends to a list", () => {
    assert.deepEqual(additions({ a: ["x"] }, { a: ["x", "y"] }), [{ op: "add", path: "/a/-", value: "y" }]);
  });

  it("escapes field names", () => {
    assert.deepEqual(additions({ m: {} }, { m: { "a/b~c": 1 } }), [
      { op: "add", path: "/m/a~1b~0c", value: 1 },
    ]);
  });

  it("never names a value that is set, even if it differs", () => {
    assert.deepEqual(additions({ a: 1, b: [1], c: { d: 1 } }, { a: 2, b: [2, 3], c: 4 }), []);
  });

  it("takes null for missing, and names that every object inherits for names", () => {
    const before = { a: null, m: {} };
    const after = { a: { b: 1 }, m: { constructor: 1, toString: 2 } };
    assert.deepEqual(applied(before, after), after);
  });

  it("does not walk through what stays, however deep it is", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    assert.deepEqual(additions({ deep }, { deep, b: 1 }), [{ op: "add", path: "/b", value: 1 }]);
  });

  it("makes the wanted document wherever that only adds", () => {
    const names = fc.constantFrom("a", "b", "a/b", "~", "");
    const plain = { noNullPrototype: true };
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof({ maxDepth: 3 }, leaf, fc.array(leaf), fc.dictionary(names, tie("node"), plain)),
    })).node;
    /** What is there, what is added to it: added fields never clash with present ones. */
    const grown = fc.tuple(
      fc.dictionary(names, tree, plain),
      fc.dictionary(names, tree, plain),
      fc.array(leaf),
      fc.array(leaf),
    );
    fc.assert(
      fc.property(grown, ([present, more, list, tail]) => {
        const before = { fields: present, list };
        const after = { fields: { ...more, ...present }, list: [...list, ...tail], extra: more };
        assert.deepEqual(applied(before, after), after);
        assert.deepEqual(additions(after, after), []);
      }),
    );
  });
});
