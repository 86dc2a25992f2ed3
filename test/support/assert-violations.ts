import assert from "node:assert/strict";
import { it } from "node:test";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import type { Catalog } from "../../functions/shared/api/catalog.ts";
import { completeSpec } from "../../functions/shared/api/complete-spec.ts";
import type { Rule } from "../../functions/shared/api/rules/rule.ts";
import type { SampleDB } from "../../functions/shared/api/sampledb.ts";
import { violationText } from "../../functions/shared/api/violation.ts";

export type RuleRow = {
  /** Behaviour, in the present tense. */
  readonly title: string;
  readonly sampledb: SampleDB;
  readonly before?: SampleDB;
  readonly catalog?: Catalog;
  /** Texts of the violations, exactly; a regular expression where the wording is not the point. */
  readonly want: readonly (string | RegExp)[];
};

/** Runs one rule on every row of a table, each a test of its own. */
export const ruleTable = (rule: Rule, rows: readonly RuleRow[]): void => {
  for (const { title, sampledb, before, catalog = BUILT_IN_CATALOG, want } of rows) {
    it(title, () => {
      const found = rule({ sampledb, spec: completeSpec(sampledb, catalog), before, catalog }).map(
        violationText,
      );
      assert.equal(found.length, want.length, `found ${JSON.stringify(found)}`);
      for (const [index, expected] of want.entries()) {
        const text = found[index] ?? "";
        if (typeof expected === "string") assert.equal(text, expected);
        else assert.match(text, expected);
      }
    });
  }
};
