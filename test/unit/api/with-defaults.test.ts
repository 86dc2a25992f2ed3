import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import { withDefaults } from "../../../functions/shared/api/with-defaults.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const fresh = (spec?: SampleDBSpec) =>
  withDefaults(makeSampleDB(spec === undefined ? {} : { spec }), undefined, BUILT_IN_CATALOG);
const filled: SampleDBSpec = {
  version: "17",
  storage: { size: "1Gi" },
  database: { name: "app", owner: "app" },
  resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { cpu: "1", memory: "512Mi" } },
};

describe("withDefaults", () => {
  it("writes out what is pinned at creation", () => assert.deepEqual(fresh().spec, filled));

  it("derives nothing from the name", () => {
    const { metadata: _named, ...rest } = makeSampleDB();
    const unnamed = withDefaults(
      { ...rest, metadata: { generateName: "orders-" } },
      undefined,
      BUILT_IN_CATALOG,
    );
    assert.deepEqual(unnamed.spec, filled);
  });

  it("keeps numbers as the user wrote them", () => {
    assert.deepEqual(fresh({ resources: { requests: { cpu: 2 } } }).spec?.resources, {
      requests: { cpu: 2, memory: "256Mi" },
      limits: { cpu: "2", memory: "512Mi" },
    });
  });

  it("adds the finalizer behind those that are there", () => {
    const sampledb = makeSampleDB({ metadata: { name: "orders", finalizers: ["example.com/mine"] } });
    assert.deepEqual(withDefaults(sampledb, undefined, BUILT_IN_CATALOG).metadata.finalizers, [
      "example.com/mine",
      "sampledb.dev/retire",
    ]);
  });

  it("leaves a terminating object alone", () => {
    const sampledb = makeSampleDB({
      metadata: { name: "orders", finalizers: [], deletionTimestamp: "2026-01-01T00:00:00Z" },
    });
    assert.equal(withDefaults(sampledb, undefined, BUILT_IN_CATALOG), sampledb);
  });

  it("fills an update from the object that it replaces, before any default", () => {
    const before = makeSampleDB({
      spec: {
        version: "15",
        storage: { size: "5Gi", storageClassName: "fast" },
        database: { name: "shop", owner: "keeper" },
        resources: { limits: { cpu: "3" } },
      },
    });
    assert.deepEqual(withDefaults(makeSampleDB(), before, BUILT_IN_CATALOG).spec, {
      version: "15",
      storage: { size: "5Gi", storageClassName: "fast" },
      database: { name: "shop", owner: "keeper" },
      resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { cpu: "3", memory: "512Mi" } },
    });
  });

  it("lets an inherited limit follow a raised request", () => {
    const before = makeSampleDB({ spec: filled });
    const update = makeSampleDB({ spec: { resources: { requests: { memory: "1Gi" } } } });
    assert.equal(withDefaults(update, before, BUILT_IN_CATALOG).spec?.resources?.limits?.["memory"], "1Gi");
  });

  it("does not inherit what may be removed: image, init, deletion policy, pause", () => {
    const before = makeSampleDB({
      spec: {
        ...filled,
        image: "postgres:17.5",
        init: [{ secretKeyRef: { name: "a", key: "b" } }],
        deletion: { policy: "Wipe" },
        paused: true,
      },
    });
    assert.deepEqual(withDefaults(makeSampleDB(), before, BUILT_IN_CATALOG).spec, filled);
  });

  it("takes the data's version from the stored status where the old spec has none", () => {
    const before = makeSampleDB({ status: { version: "16" } });
    assert.equal(withDefaults(makeSampleDB(), before, BUILT_IN_CATALOG).spec?.version, "16");
  });

  it("does not believe a status that the user sends", () => {
    const sent = makeSampleDB({ status: { version: "15" } });
    assert.equal(withDefaults(sent, undefined, BUILT_IN_CATALOG).spec?.version, "17");
  });
});
