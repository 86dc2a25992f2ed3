import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { REASON } from "../../../functions/shared/api/conditions.ts";
import { sampledbSchema } from "../../../functions/shared/api/sampledb-schema.ts";
import type { Schema } from "../../../functions/shared/api/schema.ts";

/** Paths of the fields that a user sets: those without fields of their own, lists and maps as one. */
const fieldsOf = (schema: Schema, path: string): readonly string[] => {
  const properties = Object.entries(schema.properties ?? {});
  return properties.length === 0 || path === "spec.resources"
    ? [path]
    : properties.flatMap(([name, field]) => fieldsOf(field, `${path}.${name}`));
};

describe("the README", () => {
  const readme = readFile(new URL("../../../README.md", import.meta.url), "utf8");

  it("has a row for every field of the spec and for no other", async () => {
    const rows = [...(await readme).matchAll(/^\| `(spec\.[\w.]+)` \|/gmu)].map(([, path]) => path);
    const spec = sampledbSchema.properties?.["spec"];
    assert.ok(spec !== undefined);
    assert.deepEqual(new Set(rows), new Set(fieldsOf(spec, "spec")));
  });

  it("begins with the sample that npm start applies", async () => {
    const [, block = ""] = /```yaml\n([\s\S]*?)```/u.exec(await readme) ?? [];
    const sample = await readFile(new URL("../../../manifests/samples/orders.yaml", import.meta.url), "utf8");
    assert.equal(block, sample);
  });

  it("names every reason that Ready can have", async () => {
    const text = await readme;
    const otherConditions = new Set<string>(["Provisioned", "Initialized", "UpToDate", "NotStalled"]);
    const missing = Object.values(REASON).filter(
      (reason) => !otherConditions.has(reason) && !text.includes(`\`${reason}\``),
    );
    assert.deepEqual(missing, []);
  });
});
