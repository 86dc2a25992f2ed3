import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { describe, it } from "node:test";
import { log, short, withFields } from "../../../functions/shared/serve/log.ts";
import { captureLogs } from "../../support/capture-logs.ts";

const work = (id: string): Promise<void> =>
  withFields({ id }, async () => {
    await turn();
    await withFields({ key: `shop/${id}` }, async () => {
      await turn();
      log({ message: "inner" });
    });
    log({ message: "outer" });
  });

describe("lines that are joined", () => {
  it("carry the fields of the work that they are logged in, of both where it is nested, and no others", async (t) => {
    const logged = captureLogs(t);
    await Promise.all([work("a"), work("b")]);
    log({ message: "outside" });
    const lines = logged().map(({ message, id, key }) => [message, id, key].map(String).join(" "));
    assert.deepEqual(lines.toSorted(), [
      "inner a shop/a",
      "inner b shop/b",
      "outer a undefined",
      "outer b undefined",
      "outside undefined undefined",
    ]);
  });
  it("have at most 100 characters of a stranger's text", () => {
    assert.equal(short("x".repeat(10_000)).length, 100);
  });
});
