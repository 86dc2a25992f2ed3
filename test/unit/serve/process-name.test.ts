import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { processName } from "../../../functions/shared/serve/process-name.ts";

describe("the name of a process", () => {
  for (const file of ["/app/reconcile.mjs", "functions/reconcile/index.ts"]) {
    it(`is reconcile where it was started as ${file}`, () => {
      assert.equal(processName(file), "reconcile");
    });
  }
});
