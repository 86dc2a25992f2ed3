import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LogFields, log } from "../../../functions/shared/serve/log.ts";

describe("a log line", () => {
  const rows: readonly (readonly [title: string, fields: LogFields, wanted: LogFields])[] = [
    ["is of level info unless it says another", { message: "up" }, { level: "info", message: "up" }],
    ["keeps its own level", { level: "error", message: "bug" }, { level: "error", message: "bug" }],
    ["leaves out what is undefined", { key: undefined, ms: 1 }, { level: "info", ms: 1 }],
  ];
  it("stays one line of harmless characters, whatever a stranger named an event", (t) => {
    const id = "a\r\nb\u2028c\u2029d\u0085e\u009b31mf\u007f\u0000";
    const write = t.mock.method(process.stdout, "write", () => true);
    log({ id });
    const text = String(write.mock.calls[0]?.arguments[0]);
    write.mock.restore();
    assert.match(text, /^[\u0020-\u007e]*\n$/u);
    const line: LogFields = JSON.parse(text);
    assert.equal(line["id"], id);
  });
  for (const [title, fields, wanted] of rows) {
    it(title, (t) => {
      const write = t.mock.method(process.stdout, "write", () => true);
      log(fields);
      const text = String(write.mock.calls[0]?.arguments[0]);
      write.mock.restore();
      assert.ok(text.endsWith("}\n"));
      const { time, ...line }: { readonly time: string } & LogFields = JSON.parse(text);
      assert.equal(new Date(time).toISOString(), time);
      assert.deepEqual(line, wanted);
    });
  }
});
