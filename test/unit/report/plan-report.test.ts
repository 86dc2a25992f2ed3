import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ANNOTATION } from "../../../functions/shared/api/markers.ts";
import { makeClaim, makePendingClaim, makeStatefulSet } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import type { Change } from "./make-observed.ts";
import { badImage, conditionsOf, planFor, starting, summary, written } from "./report-writing.ts";

describe("the status of a ready SampleDB", () => {
  const sampledb = written({});

  it("names Secret, endpoint, version and storage", () => {
    const { conditions: _, ...fields } = sampledb.status ?? {};
    assert.deepEqual(fields, {
      observedGeneration: 1,
      binding: { name: "orders" },
      endpoint: "orders.shop.svc:5432",
      version: "17",
      storage: { claim: "orders-1-1", capacity: "1Gi", storageClassName: "standard" },
    });
  });

  it("has every condition, with generation and a time in seconds", () => {
    assert.deepEqual(summary(sampledb), {
      Ready: "True DatabaseReady",
      Reconciling: "False UpToDate",
      Stalled: "False NotStalled",
      Provisioned: "True Provisioned",
      Initialized: "True Initialized",
    });
    for (const condition of Object.values(conditionsOf(sampledb))) {
      assert.equal(condition.observedGeneration, 1);
      assert.equal(condition.lastTransitionTime, "2026-01-01T01:00:00Z");
      assert.notEqual(condition.message, "");
    }
  });

  it("keeps to what the schema takes, however much the API server says: a refused status would tell nothing", () => {
    const message = "no ".repeat(20_000);
    const refused = [{ by: "provision", object: "Service orders", code: 403, reason: "Forbidden", message }];
    const { Ready, Stalled } = conditionsOf(written({ context: { refused } }));
    for (const condition of [Ready, Stalled]) {
      assert.match(condition?.message ?? "", /^Service orders: no no/u);
      assert.ok((condition?.message ?? "").length <= 32_768);
    }
  });

  it("says so where the volume was there before the SampleDB", () => {
    const claim = makeClaim({ metadata: { creationTimestamp: "2025-12-01T00:00:00Z" } });
    const adopted = written({ objects: { PersistentVolumeClaim: [claim] } });
    assert.match(conditionsOf(adopted)["Provisioned"]?.message ?? "", /adopted existing volume/u);
  });
});

/** The StatefulSet says which generation of the spec was carried out last. */
const carriedOut = (generation: string): Change => ({
  objects: {
    StatefulSet: [makeStatefulSet({ metadata: { annotations: { [ANNOTATION.generation]: generation } } })],
  },
});

describe("the conditions", () => {
  const rows: readonly { readonly name: string; readonly change: Change; readonly want: object }[] = [
    {
      name: "are reconciling while work is under way",
      change: starting,
      want: {
        Ready: "False WaitingForDatabase",
        Reconciling: "True WaitingForDatabase",
        Stalled: "False NotStalled",
        Provisioned: "True Provisioned",
        Initialized: "True Initialized",
      },
    },
    {
      name: "are stalled, not reconciling, where the user must act",
      change: badImage,
      want: {
        Ready: "False ImagePullFailed",
        Reconciling: "False ImagePullFailed",
        Stalled: "True ImagePullFailed",
        Provisioned: "True Provisioned",
        Initialized: "True Initialized",
      },
    },
    {
      name: "say of an unbound claim why nothing is provisioned and that init waits",
      change: {
        objects: {
          PersistentVolumeClaim: [makePendingClaim({ spec: {} })],
          StatefulSet: [makeStatefulSet({ status: { replicas: 1, observedGeneration: 1 } })],
          Pod: [],
          Job: [],
        },
      },
      want: {
        Ready: "False StorageClassMissing",
        Reconciling: "False StorageClassMissing",
        Stalled: "True StorageClassMissing",
        Provisioned: "False StorageClassMissing",
        Initialized: "False WaitingForDatabase",
      },
    },
    {
      name: "are neither reconciling nor stalled while paused",
      change: { sampledb: makeSampleDB({ spec: { paused: true } }) },
      want: {
        Ready: "True DatabaseReady",
        Reconciling: "False Paused",
        Stalled: "False NotStalled",
        Provisioned: "True Provisioned",
        Initialized: "True Initialized",
      },
    },
    {
      name: "stay ready while a child that nobody needs to connect is made again",
      change: { objects: { PodDisruptionBudget: [] } },
      want: {
        Ready: "True DatabaseReady",
        Reconciling: "True Provisioning",
        Stalled: "False NotStalled",
        Provisioned: "False Provisioning",
        Initialized: "True Initialized",
      },
    },
  ];
  for (const { name, change, want } of rows) {
    it(name, () => assert.deepEqual(summary(written(change, change.sampledb)), want));
  }

  it("move their time only where their status turns", () => {
    const before = written({});
    const later = { now: new Date("2026-01-01T02:00:00Z") };
    const after = conditionsOf(written({ ...starting, context: later }, before));
    assert.equal(after["Ready"]?.lastTransitionTime, "2026-01-01T02:00:00Z");
    assert.equal(after["Reconciling"]?.lastTransitionTime, "2026-01-01T02:00:00Z");
    assert.equal(after["Initialized"]?.lastTransitionTime, "2026-01-01T01:00:00Z");
    const stuck = conditionsOf(written({ ...badImage, context: later }, written(starting)));
    assert.equal(stuck["Ready"]?.lastTransitionTime, "2026-01-01T01:00:00Z");
  });

  it("do not call a changed spec ready in the pass that carries it out, and do in the next", () => {
    const before = written({});
    const changed = { ...before, metadata: { ...before.metadata, generation: 2 } };
    const first = written({}, changed);
    assert.equal(first.status?.observedGeneration, 2);
    assert.deepEqual(conditionsOf(first)["Ready"], conditionsOf(before)["Ready"]);
    assert.equal(conditionsOf(first)["Reconciling"]?.status, "True");
    const second = written(carriedOut("2"), first);
    assert.equal(conditionsOf(second)["Ready"]?.observedGeneration, 2);
    assert.equal(conditionsOf(second)["Reconciling"]?.status, "False");
  });

  it("do not call a changed spec ready until it was carried out, however long that takes, and are not written meanwhile", () => {
    const before = written({});
    const changed = { ...before, metadata: { ...before.metadata, generation: 2 } };
    const first = written(carriedOut("1"), changed);
    const context = { now: new Date("2026-01-05T00:00:00Z") };
    assert.deepEqual(planFor({ ...carriedOut("1"), sampledb: first, context }), []);
    assert.equal(conditionsOf(first)["Ready"]?.observedGeneration, 1);
    assert.equal(conditionsOf(first)["Reconciling"]?.message, "Carrying out generation 2.");
  });

  it("tell of a paused spec that it is not carried out, whichever was carried out last", () => {
    const sampledb = makeSampleDB({ metadata: { generation: 2 }, spec: { paused: true } });
    const paused = conditionsOf(written(carriedOut("1"), sampledb));
    assert.equal(paused["Reconciling"]?.reason, "Paused");
  });
});

describe("report writes", () => {
  it("nothing for a SampleDB that is gone and left nothing", () => {
    const objects = { PersistentVolumeClaim: [], Secret: [], StatefulSet: [] };
    assert.deepEqual(planFor({ sampledb: undefined, objects }), []);
  });

  for (const [name, change] of Object.entries({ ready: {}, starting, stalled: badImage })) {
    it(`nothing while nothing changes: ${name}`, () => {
      const sampledb = written(change);
      const context = { now: new Date("2026-01-05T00:00:00Z") };
      assert.deepEqual(planFor({ ...change, sampledb, context }), []);
    });
  }

  it("nothing in the pass in which retire lets go of the SampleDB", () => {
    const sampledb = makeSampleDB({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } });
    const objects = { StatefulSet: [], Job: [], Pod: [], ConfigMap: [], Service: [] };
    assert.deepEqual(planFor({ sampledb, objects }), []);
  });

  it("the whole status again where it was lost", () => {
    assert.deepEqual(written({}).status, written({}, makeSampleDB({ status: {} })).status);
  });

  it("away what is no longer so", () => {
    const [action] = planFor({
      sampledb: written({}),
      objects: { PersistentVolumeClaim: [], Service: [], ConfigMap: [] },
    });
    assert.ok(action?.do === "merge" && action.subresource === "status");
    const status = action.patch["status"];
    assert.ok(typeof status === "object" && status !== null);
    assert.deepEqual(
      { ...status, conditions: [] },
      {
        conditions: [],
        endpoint: null,
        version: null,
        storage: null,
      },
    );
  });

  it("status once, first, and only if the SampleDB is still as it was read", () => {
    const [first, ...others] = planFor(badImage);
    assert.ok(first?.do === "merge" && first.subresource === "status");
    assert.deepEqual(first.ref, {
      kind: "SampleDB",
      namespace: "shop",
      name: "orders",
      uid: "uid-orders",
      resourceVersion: "1",
    });
    assert.ok(others.every((action) => action.do === "create" && action.object.kind === "Event"));
  });
});
