import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countFrom } from "../../support/runner/count-from.ts";
import { stagesFrom } from "../../support/runner/stages.ts";

describe("the test runner", () => {
  it("counts cancelled tests as failed and todo as skipped", () => {
    const tap =
      "TAP version 13\n# tests 9\n# suites 1\n# pass 4\n# fail 1\n# cancelled 1\n# skipped 2\n# todo 1\n";
    assert.deepEqual(countFrom(tap), { passed: 4, failed: 2, skipped: 3 });
  });

  it("counts nothing where no report was written", () => {
    assert.deepEqual(countFrom(""), { passed: 0, failed: 0, skipped: 0 });
  });

  it("runs every stage without arguments, and the named ones in the fixed order", () => {
    assert.deepEqual(
      stagesFrom([])?.map(({ name }) => name),
      ["check", "build", "unit", "contract", "cluster", "e2e"],
    );
    assert.deepEqual(
      stagesFrom(["e2e", "unit"])?.map(({ name }) => name),
      ["unit", "e2e"],
    );
  });

  it("refuses an unknown stage", () => {
    assert.equal(stagesFrom(["unti"]), undefined);
  });
});
