import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { completeSpec } from "../../../functions/shared/api/complete-spec.ts";
import type { Rule } from "../../../functions/shared/api/rules/rule.ts";
import { readStructure } from "../../../functions/shared/api/structure.ts";
import type { Violation } from "../../../functions/shared/api/violation.ts";
import { violationText } from "../../../functions/shared/api/violation.ts";
import { RULES, violationsOf } from "../../../functions/shared/api/violations-of.ts";
import { CATALOG as catalog, VERDICTS } from "../../support/verdicts/index.ts";
import type { Entry } from "../../support/verdicts/entry.ts";

/** What the entry's own rule says of it. */
const ofItsRule = ({ rule, object, before }: Entry): readonly Violation[] => {
  const { sampledb, violations } = readStructure(object);
  if (rule === "shape") return violations;
  const judge: Rule = RULES[rule];
  const earlier = before === undefined ? undefined : readStructure(before).sampledb;
  return judge({ sampledb, spec: completeSpec(sampledb, catalog), before: earlier, catalog });
};

describe("the table of verdicts, judged by the rules", () => {
  for (const entry of VERDICTS) {
    const { title, rule, verdict, object, before } = entry;
    it(`${rule} ${title}`, () => {
      const texts = violationsOf({ object, oldObject: before, catalog }).map(violationText);
      if (verdict === "allowed") assert.deepEqual(texts, []);
      else assert.notEqual(ofItsRule(entry).length, 0, texts.join());
      assert.equal(texts.length > 0, verdict === "refused");
      // `path: value: what would be right`, short enough to be read.
      for (const text of texts) {
        assert.match(text, /^(metadata|spec)[^ ]*: .*\S$/su);
        assert.ok(text.length < 400, text);
      }
    });
    if (before !== undefined)
      it(`${rule} allows what "${title}" replaces`, () =>
        assert.deepEqual(violationsOf({ object: before, catalog }), []));
  }

  it("has for every rule an object that it refuses and one that it allows", () => {
    const missing = [...Object.keys(RULES), "shape"].flatMap((rule) =>
      (["allowed", "refused"] as const)
        .filter((verdict) => !VERDICTS.some((entry) => entry.rule === rule && entry.verdict === verdict))
        .map((verdict) => `${rule} ${verdict}`),
    );
    assert.deepEqual(missing, []);
  });

  it("tells its entries apart", () => {
    const titles = VERDICTS.map(({ rule, title }) => `${rule} ${title}`);
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
  });
});
