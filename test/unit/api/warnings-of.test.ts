import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SampleDB } from "../../../functions/shared/api/sampledb.ts";
import { keptResources, warningsOf } from "../../../functions/shared/api/warnings-of.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const wipe = makeSampleDB({ spec: { deletion: { policy: "Wipe" } } });
const ran = makeSampleDB({
  status: {
    conditions: [
      {
        type: "Initialized",
        status: "True",
        reason: "Initialized",
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
  },
});
const withInit = makeSampleDB({ spec: { init: [{ secretKeyRef: { name: "a", key: "b" } }] } });

describe("warningsOf", () => {
  const rows: readonly {
    readonly title: string;
    readonly after: SampleDB;
    readonly before?: SampleDB;
    readonly want: RegExp | undefined;
  }[] = [
    { title: "says nothing of a plain SampleDB", after: makeSampleDB(), want: undefined },
    { title: "warns of Wipe", after: wipe, want: /deletes the data for good/u },
    {
      title: "warns of Wipe when it is chosen later",
      after: wipe,
      before: makeSampleDB(),
      want: /deletes the data for good/u,
    },
    { title: "does not repeat itself on every update", after: wipe, before: wipe, want: undefined },
    {
      title: "warns of a tag that moves",
      after: makeSampleDB({ spec: { image: "postgres:17" } }),
      want: /moves with every release/u,
    },
    ...["17-bookworm", "pg17", "stable", "edge", "trixie"].map((tag) => ({
      title: `warns of the tag ${tag}`,
      after: makeSampleDB({ spec: { image: `example.com/postgres:${tag}` } }),
      want: /^spec\.image: "example\.com\/postgres:.*": this tag moves/u,
    })),
    ...[
      "17.5",
      "17.5-bookworm",
      "0.8.0-pg17",
      "build-4711",
      "0a1b2c3",
      `17@sha256:${"0a".repeat(32)}`,
      "17rc1",
    ].map((tag) => ({
      title: `says nothing of the tag ${tag}`,
      after: makeSampleDB({ spec: { image: `example.com/postgres:${tag}` } }),
      want: undefined,
    })),
    {
      title: "warns of memory that the shared buffers fill",
      after: makeSampleDB({ spec: { resources: { limits: { memory: "160Mi" } } } }),
      want: /^spec\.resources\.limits\.memory: "160Mi": .*256Mi leaves room$/u,
    },
    {
      title: "says nothing of memory that has room",
      after: makeSampleDB({ spec: { resources: { limits: { memory: "256Mi" } } } }),
      want: undefined,
    },
    {
      title: "warns of a SampleDB that is paused from the beginning",
      after: makeSampleDB({ spec: { paused: true } }),
      want: /^spec\.paused: true: nothing is created/u,
    },
    {
      title: "says nothing of a pause later on",
      after: makeSampleDB({ spec: { paused: true } }),
      before: makeSampleDB(),
      want: undefined,
    },
    {
      title: "warns of names that SQL wants in quotes",
      after: makeSampleDB({ spec: { database: { name: "order", owner: "user" } } }),
      want: /^spec\.database\.name: "order": is a word of SQL.*,spec\.database\.owner: "user": /u,
    },
    {
      title: "says nothing of names that only contain such words",
      after: makeSampleDB({ spec: { database: { name: "orders", owner: "app_user" } } }),
      want: undefined,
    },
    {
      title: "says nothing of a minor version",
      after: makeSampleDB({ spec: { image: "postgres:17.5" } }),
      want: undefined,
    },
    {
      title: "warns of init scripts that come too late",
      after: withInit,
      before: ran,
      want: /have run already/u,
    },
    {
      title: "says nothing of init scripts that can still run",
      after: withInit,
      before: makeSampleDB(),
      want: undefined,
    },
  ];
  for (const { title, after, before, want } of rows) {
    it(title, () => {
      const warnings = warningsOf(after, before);
      if (want === undefined) assert.deepEqual(warnings, []);
      else assert.match(warnings.join(), want);
      // The API server may cut what is longer.
      for (const warning of warnings) assert.ok(warning.length <= 256, warning);
    });
  }
});

describe("keptResources", () => {
  const before = makeSampleDB({ spec: { resources: { limits: { memory: "4Gi" } } } });

  it("says that a removed limit stays", () => {
    assert.deepEqual(keptResources(makeSampleDB(), before, before), [
      'spec.resources.limits.memory: "4Gi": stays as it was, though it was left out; set it to change it',
    ]);
  });

  it("says nothing where the default comes back", () => {
    const filled = makeSampleDB({ spec: { resources: { limits: { memory: "512Mi" } } } });
    assert.deepEqual(keptResources(makeSampleDB(), filled, filled), []);
  });

  it("says nothing at creation", () =>
    assert.deepEqual(keptResources(makeSampleDB(), before, undefined), []));
});
