import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answerWithin } from "../../../functions/shared/serve/answer-within.ts";

const within = (query: string): number => answerWithin(new URL(`http://admission/mutate${query}`));

describe("answerWithin", () => {
  for (const [timeout, ms] of [
    ["10s", 9000],
    ["1m0s", 54_000],
    ["1.5s", 1350],
    [".5s", 450],
    ["500ms", 450],
    ["1h", 540_000],
    ["1m0.5s", 54_450],
  ] as const)
    it(`leaves a tenth of ${timeout} for the way back`, () =>
      assert.equal(within(`?timeout=${timeout}`), ms));

  for (const timeout of ["", "0s", "0", "-5s", "10", "s", "ten", "10 s", "1e3s", "10s,", "NaNs", "10S"])
    it(`takes ${JSON.stringify(timeout)} for not given`, () => {
      assert.equal(within(`?timeout=${encodeURIComponent(timeout)}`), 9000);
    });

  it("takes the API server's default where none is given", () => assert.equal(within(""), 9000));

  it("never waits longer than a timer can", () => {
    for (const timeout of ["99999999999h", `${"9".repeat(400)}s`])
      assert.equal(within(`?timeout=${timeout}`), 540_000);
  });

  it("is above 0 for the shortest timeout", () => assert.ok(within("?timeout=1ns") > 0));
});
