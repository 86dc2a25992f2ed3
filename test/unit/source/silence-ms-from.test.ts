import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silenceMsFrom } from "../../../functions/source/silence-ms-from.ts";

describe("silenceMsFrom", () => {
  it("outlasts the minute between two bookmarks where nothing is said", () => {
    assert.equal(silenceMsFrom({}), 90_000);
  });
  it("takes seconds", () => {
    assert.equal(silenceMsFrom({ WATCH_SILENCE_SECONDS: "0.5" }), 500);
  });
  it("refuses what is no number above 0, in one sentence", () => {
    for (const WATCH_SILENCE_SECONDS of ["", "0", "-1", "x", "Infinity"])
      assert.throws(
        () => silenceMsFrom({ WATCH_SILENCE_SECONDS }),
        /WATCH_SILENCE_SECONDS is .*: it must be a number above 0\.$/u,
      );
  });
});
