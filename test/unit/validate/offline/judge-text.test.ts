import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { stringify } from "yaml";
import { BUILT_IN_CATALOG as catalog } from "../../../../functions/shared/api/catalog.ts";
import { judgeText } from "../../../../functions/validate/offline/judge-text.ts";
import { CASES, HEAD } from "./cases.ts";

/** `line:column: text` of all that is told, in any order. */
const told = (text: string): readonly string[] =>
  judgeText("orders.yaml", text, catalog).findings.map(
    ({ line, column, severity, text: said }) =>
      `${line}:${column}: ${severity === "warning" ? "warning: " : ""}${said}`,
  );

describe("judgeText", () => {
  for (const { title, text, tells } of CASES) {
    it(title, () => {
      const found = told(text);
      const missing = tells.filter((wanted) =>
        found.every((said) => (typeof wanted === "string" ? said !== wanted : !wanted.test(said))),
      );
      assert.deepEqual(missing, [], found.join("\n"));
      assert.equal(found.length, tells.length, found.join("\n"));
    });
  }

  it("counts what it passes over", () => {
    const { others, unreadable, sampledbs } = judgeText(
      "all.yaml",
      `${HEAD}---\nkind: Secret\n---\nkind: List\nitems: [{kind: Pod}, null]\n---\n`,
      catalog,
    );
    assert.deepEqual([others, unreadable, sampledbs.length], [2, 0, 1]);
    assert.equal(judgeText("chart.yaml", "a: {{ b }}-c\n", catalog).unreadable, 1);
  });

  it("never throws, and points into the text, whatever it is", () => {
    const line = fc.constantFrom(
      "a: ",
      "- ",
      "  ",
      "b: &x ",
      "*x",
      "{{",
      "}}",
      "[",
      "]",
      "{",
      "}",
      "---\n",
      "\n",
      "\t",
      "<<: ",
      "? ",
      "kind: SampleDB\n",
      "apiVersion: sampledb.dev/v1\n",
      "spec:\n",
      "metadata: ",
      "'",
      '"',
      "|\n",
      "\r\n",
    );
    const texts = fc.oneof(
      fc.array(line, { maxLength: 30 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
      fc.object().map((object) => stringify({ ...object, kind: "SampleDB", apiVersion: "sampledb.dev/v1" })),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const lines = text.split("\n");
        for (const { line: at, column } of judgeText("any.yaml", text, catalog).findings) {
          assert.ok(at >= 1 && at <= lines.length, `line ${at}`);
          assert.ok(column >= 1 && column <= (lines[at - 1] ?? "").length + 1, `column ${column}`);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
