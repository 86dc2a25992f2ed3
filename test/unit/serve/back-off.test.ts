import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { backOffMs } from "../../../functions/shared/serve/back-off.ts";

describe("backOffMs", () => {
  it("doubles with each failure, up to 30 s", () => {
    const waits = [1, 2, 3, 9, 10, 1000].map((failures) => backOffMs(failures, () => 1));
    assert.deepEqual(waits, [100, 200, 400, 25_600, 30_000, 30_000]);
  });
  it("grows no longer than it is told", () => {
    assert.equal(
      backOffMs(1000, () => 1, 10_000),
      10_000,
    );
  });
  it("spreads over the upper half", () => {
    assert.equal(
      backOffMs(3, () => 0),
      200,
    );
    assert.equal(
      backOffMs(3, () => 0.5),
      300,
    );
  });
});
