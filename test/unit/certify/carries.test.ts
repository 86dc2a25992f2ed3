import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { carries } from "../../../functions/certify/carries.ts";

describe("carries", () => {
  const rows: readonly (readonly [title: string, observed: unknown, wanted: unknown, want: boolean])[] = [
    ["accepts what is equal", { a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }, true],
    ["accepts fields that nobody asked for", { a: 1, more: 2 }, { a: 1 }, true],
    ["accepts them inside lists", { a: [{ b: 1, more: 2 }] }, { a: [{ b: 1 }] }, true],
    ["refuses another value", { a: 1 }, { a: 2 }, false],
    ["refuses a missing field", {}, { a: 1 }, false],
    ["refuses a longer list", { a: [1, 2] }, { a: [1] }, false],
    ["refuses a shorter list", { a: [] }, { a: [1] }, false],
    ["refuses what is not there", undefined, { a: 1 }, false],
    ["refuses a list for an object", { a: [1] }, { a: { 0: 1 } }, false],
  ];
  for (const [title, observed, wanted, want] of rows) {
    it(title, () => {
      assert.equal(carries(observed, wanted), want);
    });
  }
});
