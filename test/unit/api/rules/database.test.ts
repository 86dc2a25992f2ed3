import { describe } from "node:test";
import { databaseNames } from "../../../../functions/shared/api/rules/database-names.ts";
import { databaseUnchanged } from "../../../../functions/shared/api/rules/database-unchanged.ts";
import { ruleTable } from "../../../support/assert-violations.ts";
import { makeSampleDB } from "../../../support/make-sampledb.ts";

const of = (database: { readonly name?: string; readonly owner?: string }) =>
  makeSampleDB({ spec: { database } });

describe("databaseNames", () => {
  ruleTable(databaseNames, [
    { title: "allows no names", sampledb: makeSampleDB(), want: [] },
    { title: "allows identifiers", sampledb: of({ name: "web_shop_2", owner: "_owner" }), want: [] },
    {
      title: "allows a database named like the operator, whose schema is something else",
      sampledb: of({ name: "sampledb" }),
      want: [],
    },
    {
      title: "refuses a hyphen and guesses an underscore",
      sampledb: of({ name: "web-shop" }),
      want: [/did you mean web_shop\?/u],
    },
    {
      title: "refuses capitals and guesses small letters",
      sampledb: of({ owner: "Shop" }),
      want: [/did you mean shop\?/u],
    },
    {
      title: "refuses a digit at the beginning without a guess",
      sampledb: of({ name: "2shop" }),
      want: [/must consist of a-z, 0-9 and _ and not begin with a digit$/u],
    },
    { title: "refuses a quote", sampledb: of({ name: 'a"; DROP' }), want: [/must consist of/u] },
    {
      title: "refuses pg_ in both",
      sampledb: of({ name: "pg_a", owner: "pg_b" }),
      want: [/^spec\.database\.name: .*pg_/u, /^spec\.database\.owner: .*pg_/u],
    },
    ...["postgres", "template0", "template1"].map((name) => ({
      title: `refuses the database ${name}`,
      sampledb: of({ name }),
      want: [/is a database of PostgreSQL itself/u],
    })),
    ...["postgres", "public", "none", "sampledb"].map((owner) => ({
      title: `refuses the role ${owner}`,
      sampledb: of({ owner }),
      want: [/is a role that PostgreSQL or the operator uses itself/u],
    })),
  ]);
});

describe("databaseUnchanged", () => {
  ruleTable(databaseUnchanged, [
    { title: "allows anything at creation", sampledb: of({ name: "shop" }), want: [] },
    {
      title: "allows the same names",
      sampledb: of({ name: "shop" }),
      before: of({ name: "shop" }),
      want: [],
    },
    {
      title: "allows the default to be written out",
      sampledb: of({ name: "app", owner: "app" }),
      before: makeSampleDB(),
      want: [],
    },
    {
      title: "refuses another name",
      sampledb: of({ name: "sales" }),
      before: of({ name: "shop" }),
      want: [
        'spec.database.name: "sales": cannot be changed after creation: keep shop, or create a new SampleDB',
      ],
    },
    {
      title: "refuses another owner than the default that was in force",
      sampledb: of({ owner: "sales" }),
      before: makeSampleDB(),
      want: [/keep app/u],
    },
    {
      title: "refuses to forget a name, which would mean the default",
      sampledb: makeSampleDB(),
      before: of({ name: "shop" }),
      want: [/^spec\.database\.name: cannot be changed/u],
    },
  ]);
});
