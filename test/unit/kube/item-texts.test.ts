import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { itemTexts } from "../../../functions/shared/kube/item-texts.ts";

const cut = (...items: readonly object[]): readonly unknown[] =>
  itemTexts(JSON.stringify({ items })).items.map((item): unknown => JSON.parse(item));

describe("itemTexts", () => {
  it("cuts a list as parsing would", () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    const list = fc.record({ metadata: object, items: fc.array(object) });
    const spaces = fc.constantFrom(0, 2);
    fc.assert(
      fc.property(list, spaces, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { items, rest } = itemTexts(text);
        const parsed = items.map((item): unknown => JSON.parse(item));
        assert.deepEqual(parsed, JSON.parse(JSON.stringify(value.items)));
        assert.deepEqual(JSON.parse(rest), JSON.parse(JSON.stringify({ ...value, items: [] })));
      }),
    );
  });
  it("empties managedFields in an item's metadata, wherever they stand, and nothing else", () => {
    const managedFields = [
      { manager: "a", fieldsV1: { "f:x": { ".": {} }, names: ["]", '"managedFields":['] } },
    ];
    const before = { name: "a", finalizers: ["x", '"managedFields":['] };
    const after = { ownerReferences: [{ uid: "1" }], labels: { managedFields: "[" } };
    const [all, last, empty, none, elsewhere] = cut(
      { metadata: { ...before, managedFields, ...after } },
      { metadata: { ...before, managedFields } },
      { metadata: { managedFields: [], ...before, ...after } },
      { metadata: { ...before, ...after } },
      { managedFields, metadata: { annotations: { managedFields: "]" } } },
    );
    assert.deepEqual(all, { metadata: { ...before, managedFields: [], ...after } });
    assert.deepEqual(last, { metadata: { ...before, managedFields: [] } });
    assert.deepEqual(empty, { metadata: { managedFields: [], ...before, ...after } });
    assert.deepEqual(none, { metadata: { ...before, ...after } });
    assert.deepEqual(elsewhere, { managedFields, metadata: { annotations: { managedFields: "]" } } });
  });
  it("takes a list without items", () => {
    const text = '{"metadata":{"resourceVersion":"1"},"items":null}';
    assert.deepEqual(itemTexts(text), { items: [], rest: text });
  });
  it("leaves what is cut off to whoever parses it", () => {
    const text = '{"metadata":{},"items":[{"a":1},{"b":"';
    const { items, rest } = itemTexts(text);
    assert.deepEqual(items, ['{"a":1}']);
    assert.throws(() => JSON.parse(rest), SyntaxError);
  });
});
