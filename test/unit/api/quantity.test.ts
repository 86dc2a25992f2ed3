import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseQuantity, suggestQuantity } from "../../../functions/shared/api/quantity.ts";

describe("parseQuantity", () => {
  const rows: readonly (readonly [string, number | undefined])[] = [
    ["0", 0],
    ["1", 1],
    ["+1.5", 1.5],
    [".5", 0.5],
    ["1.", 1],
    ["-2k", -2000],
    ["500m", 0.5],
    ["9m", 0.009],
    ["52m", 0.052],
    ["1.1G", 1_100_000_000],
    ["7.7E2", 770],
    ["100n", 0.000_000_1],
    ["1Ki", 1024],
    ["1.5Gi", 1.5 * 2 ** 30],
    ["3E", 3e18],
    ["1e3", 1000],
    ["1E-3", 0.001],
    ["2Pi", 2 ** 51],
    ["", undefined],
    ["Gi", undefined],
    [".", undefined],
    ["1 Gi", undefined],
    ["1GB", undefined],
    ["1K", undefined],
    ["1ki", undefined],
    ["1e", undefined],
    ["0x10", undefined],
    ["Infinity", undefined],
    ["1Gi\n", undefined],
  ];
  for (const [text, value] of rows) {
    it(`reads ${JSON.stringify(text)} as ${value}`, () => assert.equal(parseQuantity(text), value));
  }
});

describe("an amount", () => {
  it("is the same in thousandths and as a fraction, as the API server rewrites one into the other", () => {
    const differing = Array.from({ length: 5000 }, (_, index) => index + 1).filter(
      (thousandths) => parseQuantity(`${thousandths}m`) !== parseQuantity(String(thousandths / 1000)),
    );
    assert.deepEqual(differing, []);
  });
});

describe("suggestQuantity", () => {
  for (const [text, meant] of [
    ["10GB", "10Gi"],
    ["10 gib", "10Gi"],
    ["1.5tb", "1.5Ti"],
    ["512 mebi", undefined],
    ["lots", undefined],
  ] as const) {
    it(`takes ${text} for ${meant}`, () => assert.equal(suggestQuantity(text), meant));
  }
});
