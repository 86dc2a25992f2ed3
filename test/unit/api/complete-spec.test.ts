import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { completeSpec } from "../../../functions/shared/api/complete-spec.ts";
import type { Resources } from "../../../functions/shared/api/sampledb.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const standard = { requests: { cpu: "100m", memory: "256Mi" }, limits: { cpu: "1", memory: "512Mi" } };

describe("completeSpec", () => {
  it("fills in an empty spec", () => {
    assert.deepEqual(completeSpec(makeSampleDB(), BUILT_IN_CATALOG), {
      version: "17",
      storage: { size: "1Gi" },
      database: { name: "app", owner: "app" },
      init: [],
      resources: standard,
      deletion: { policy: "Retain", protection: false },
      paused: false,
    });
  });

  it("prefers the version of the data to the catalog's default", () => {
    assert.equal(completeSpec(makeSampleDB({ status: { version: "15" } }), BUILT_IN_CATALOG).version, "15");
  });

  it("keeps a set version whatever the data is", () => {
    const sampledb = makeSampleDB({ spec: { version: "16" }, status: { version: "15" } });
    assert.equal(completeSpec(sampledb, BUILT_IN_CATALOG).version, "16");
  });

  it("writes a size given as a number as text", () => {
    assert.equal(
      completeSpec(makeSampleDB({ spec: { storage: { size: 1e10 } } }), BUILT_IN_CATALOG).storage.size,
      "10000000000",
    );
  });

  const rows: readonly { readonly title: string; readonly given: Resources; readonly want: Resources }[] = [
    {
      title: "raises the limit to a request above it",
      given: { requests: { memory: "2Gi" } },
      want: { ...standard, requests: { cpu: "100m", memory: "2Gi" }, limits: { cpu: "1", memory: "2Gi" } },
    },
    {
      title: "lowers the request to a limit below it",
      given: { limits: { cpu: "50m" } },
      want: { requests: { cpu: "50m", memory: "256Mi" }, limits: { cpu: "50m", memory: "512Mi" } },
    },
    {
      title: "compares amounts, not their spelling",
      given: { requests: { cpu: "900m" } },
      want: { ...standard, requests: { cpu: "900m", memory: "256Mi" } },
    },
    {
      title: "keeps both where both are set, even if they disagree",
      given: { requests: { cpu: 3 }, limits: { cpu: 2 } },
      want: { requests: { cpu: "3", memory: "256Mi" }, limits: { cpu: "2", memory: "512Mi" } },
    },
    {
      title: "keeps a resource that has no default",
      given: { limits: { "ephemeral-storage": "1Gi" } },
      want: { ...standard, limits: { ...standard.limits, "ephemeral-storage": "1Gi" } },
    },
  ];
  for (const { title, given, want } of rows) {
    it(title, () => {
      assert.deepEqual(
        completeSpec(makeSampleDB({ spec: { resources: given } }), BUILT_IN_CATALOG).resources,
        want,
      );
    });
  }
});
