import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WrongScope, readScope } from "../../../functions/resync/scope.ts";

describe("the scope of a sweep", () => {
  it("is everything, a namespace or one SampleDB", () => {
    assert.deepEqual(readScope(undefined), {});
    assert.deepEqual(readScope("shop"), { namespace: "shop" });
    assert.deepEqual(readScope("shop/orders"), { namespace: "shop", name: "orders" });
  });
  for (const text of [
    "",
    "/",
    "shop/",
    "/orders",
    "a/b/c",
    "Shop/orders",
    "shop/Orders",
    "shop orders",
    "*",
    "../x",
  ]) {
    it(`is not ${JSON.stringify(text)}, which the error names with what would be right`, () => {
      assert.throws(
        () => readScope(text),
        (error) =>
          error instanceof WrongScope &&
          error.message.includes(JSON.stringify(text)) &&
          error.message.includes('"shop/orders"'),
      );
    });
  }
});
