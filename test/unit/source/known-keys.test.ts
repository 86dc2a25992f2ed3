import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KnownKeys } from "../../../functions/source/known-keys.ts";

const key = (name: string) => ({ namespace: "shop", name });
const heard = (known: KnownKeys, ...names: readonly string[]): void => {
  for (const name of names) known.heard(key(name), false);
};
const names = (keys: Iterable<{ readonly name: string }>): readonly string[] =>
  [...keys].map(({ name }) => name);

describe("KnownKeys", () => {
  it("knows what was heard of and not deleted", () => {
    const known = new KnownKeys();
    heard(known, "a", "b", "a");
    known.heard(key("b"), true);
    assert.deepEqual(names(known.all()), ["a"]);
    assert.deepEqual([known.has(key("a")), known.has(key("b"))], [true, false]);
  });
  it("tells which went away unseen, once", () => {
    const known = new KnownKeys();
    known.listing();
    heard(known, "a", "b");
    assert.deepEqual(known.listed(), []);
    heard(known, "c");
    known.listing();
    heard(known, "b", "d");
    assert.deepEqual(names(known.listed()), ["a", "c"]);
    assert.deepEqual(names(known.all()), ["b", "d"]);
    known.listing();
    heard(known, "b", "d");
    assert.deepEqual(known.listed(), []);
  });
  it("forgets nothing because of a list that broke off", () => {
    const known = new KnownKeys();
    heard(known, "a", "b");
    known.listing();
    heard(known, "a");
    assert.deepEqual(names(known.all()), ["a", "b"]);
    known.listing();
    heard(known, "b");
    assert.deepEqual(names(known.listed()), ["a"]);
  });
  it("forgets what was deleted after a list", () => {
    const known = new KnownKeys();
    known.listing();
    heard(known, "a", "b");
    known.listed();
    known.heard(key("a"), true);
    assert.deepEqual(names(known.all()), ["b"]);
  });
});
