import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { readStructure } from "../../../functions/shared/api/structure.ts";
import { violationText } from "../../../functions/shared/api/violation.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const withSpec = (spec: unknown): unknown => ({ metadata: { name: "orders" }, spec });
const textsOf = (spec: unknown): readonly string[] =>
  readStructure(withSpec(spec)).violations.map(violationText);

describe("readStructure", () => {
  it("gives back a sound object as it is", () => {
    const sampledb = makeSampleDB({
      spec: { version: "17", init: [{ secretKeyRef: { name: "a", key: "b" } }] },
    });
    assert.deepEqual(readStructure(sampledb), { sampledb, violations: [] });
  });

  const rows: readonly {
    readonly title: string;
    readonly spec: unknown;
    readonly want: readonly string[];
  }[] = [
    {
      title: "asks for quotes around a version",
      spec: { version: 17 },
      want: ['spec.version: 17: must be a string: write it in quotes, "17"'],
    },
    {
      title: "asks for quotes around a fraction",
      spec: { resources: { limits: { cpu: 0.5 } } },
      want: ['spec.resources.limits.cpu: 0.5: must be a quantity: write it in quotes, "0.5"'],
    },
    {
      title: "refuses quotes around a boolean",
      spec: { paused: "no" },
      want: ['spec.paused: "no": must be true or false, without quotes'],
    },
    {
      title: "refuses a list for an object",
      spec: { storage: [] },
      want: ["spec.storage: []: must be an object with fields"],
    },
    { title: "refuses an object for a list", spec: { init: {} }, want: ["spec.init: {}: must be a list"] },
    {
      title: "refuses text for the whole spec",
      spec: "all",
      want: ['spec: "all": must be an object with fields'],
    },
    {
      title: "guesses an enum value",
      spec: { deletion: { policy: "WIPE" } },
      want: ['spec.deletion.policy: "WIPE": must be one of Retain, Wipe; did you mean Wipe?'],
    },
    {
      title: "guesses a major version of a minor one",
      spec: { version: "16.9" },
      want: ['spec.version: "16.9": must be one of 15, 16, 17, 18; did you mean 16?'],
    },
    {
      title: "explains a required field",
      spec: { init: [{ secretKeyRef: { key: "a.sql" } }] },
      want: ["spec.init[0].secretKeyRef.name: is required: name of the Secret"],
    },
    {
      title: "takes null for not set, as the API server does",
      spec: { version: null, storage: null },
      want: [],
    },
    { title: "leaves unknown fields to the API server", spec: { replicas: 3 }, want: [] },
  ];
  for (const { title, spec, want } of rows) {
    it(title, () => assert.deepEqual(textsOf(spec), want));
  }

  it("counts the entries of a list instead of judging each", () => {
    const [only, ...others] = textsOf({ init: Array.from({ length: 17 }, () => ({ secretKeyRef: 1 })) });
    assert.match(only ?? "", /must have at most 16 entries, it has 17$/u);
    assert.deepEqual(others, []);
  });

  it("judges no entry of a map that has far too many: a review of hundreds of thousands would take minutes", () => {
    const many = Array.from({ length: 1000 }, (_, index) => [`name-${index}`, index % 2 === 0]);
    const [only, ...others] = textsOf({ resources: { requests: Object.fromEntries(many) } });
    assert.match(only ?? "", /^spec\.resources\.requests: .*must have at most 3 entries, it has 1000$/u);
    assert.deepEqual(others, []);
  });

  it("tells everything at once, and keeps the rest", () => {
    const { sampledb, violations } = readStructure(
      withSpec({ version: 9, paused: 1, database: { name: "", owner: "shop" }, image: "postgres:17.5" }),
    );
    assert.deepEqual(
      violations.map(({ path }) => path),
      ["spec.version", "spec.paused", "spec.database.name"],
    );
    assert.deepEqual(sampledb.spec, { database: { owner: "shop" }, image: "postgres:17.5" });
  });

  it("ignores a malformed status: users cannot write it", () => {
    const { sampledb, violations } = readStructure({
      metadata: { name: "orders" },
      status: { version: 17, endpoint: "a:1" },
    });
    assert.deepEqual(
      { status: sampledb.status, violations },
      { status: { endpoint: "a:1" }, violations: [] },
    );
  });

  it("never throws, and what it keeps is sound", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (spec, metadata) => {
        const { sampledb } = readStructure({ metadata, spec });
        const again = readStructure(sampledb);
        assert.deepEqual(again.sampledb, sampledb);
        assert.deepEqual(again.violations, []);
      }),
    );
  });
});
