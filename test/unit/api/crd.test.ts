import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { sampledbSchema } from "../../../functions/shared/api/sampledb-schema.ts";
import type { Schema } from "../../../functions/shared/api/schema.ts";
import { CRD_FILE, printCrd } from "../../support/print-crd.ts";

const walk = (path: string, schema: Schema): readonly (readonly [string, Schema])[] => [
  [path, schema],
  ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => walk(`${path}.${name}`, member)),
  ...(schema.items === undefined ? [] : walk(`${path}[]`, schema.items)),
  ...(schema.additionalProperties === undefined ? [] : walk(`${path}.*`, schema.additionalProperties)),
];
const nodes = walk("", sampledbSchema);

describe("the CRD", () => {
  it("is printed as it is checked in (npm run generate)", () => {
    assert.equal(readFileSync(CRD_FILE, "utf8"), printCrd());
  });

  it("describes every field", () => {
    const silent = nodes.filter(([path, { description = "" }]) => path !== ".metadata" && description === "");
    assert.deepEqual(
      silent.map(([path]) => path),
      [],
    );
  });

  it("bounds every list, map and text of the spec, so that CEL's cost is bounded", () => {
    const unbounded = nodes.filter(([path, schema]) => {
      if (!path.startsWith(".spec")) return false;
      if (schema.type === "array") return schema.maxItems === undefined;
      if (schema.type === "string") return schema.maxLength === undefined && schema.enum === undefined;
      return schema.additionalProperties !== undefined && schema.maxProperties === undefined;
    });
    assert.deepEqual(
      unbounded.map(([path]) => path),
      [],
    );
  });
});
