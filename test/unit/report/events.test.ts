import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { makePendingClaim, makePod, makeStatefulSet } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { type Change, makeEvent, makePodWith } from "./make-observed.ts";
import { badImage, eventsOf, planFor, starting, written } from "./report-writing.ts";

const namesIn = (change: Change): readonly (string | undefined)[] =>
  planFor(change).flatMap((action) => (action.do === "create" ? [action.object.metadata?.name] : []));

describe("report's Events", () => {
  it("warn where the user must act", () => {
    assert.deepEqual(eventsOf(planFor({ ...badImage, sampledb: written({}) })), ["Warning ImagePullFailed"]);
  });

  it("are ordinary for progress and for what is done", () => {
    const unstarted: Change = {
      objects: { PersistentVolumeClaim: [makePendingClaim()], StatefulSet: [], Pod: [], Job: [] },
    };
    const sampledb = written({
      ...unstarted,
      objects: { ...unstarted.objects, StorageClass: [{ metadata: { name: "standard" }, provisioner: "x" }] },
    });
    assert.deepEqual(eventsOf(planFor({ sampledb })), [
      "Normal DatabaseReady",
      "Normal Provisioned",
      "Normal Initialized",
    ]);
  });

  it("do not tell that a new SampleDB is not Ready yet, but what goes wrong with it at once", () => {
    assert.deepEqual(eventsOf(planFor(starting)), ["Normal Provisioned", "Normal Initialized"]);
    assert.equal(eventsOf(planFor(badImage))[0], "Warning ImagePullFailed");
  });

  it("come only at a turn: another message of the same reason is none", () => {
    const sampledb = written(badImage);
    const [pod] = badImage.objects?.Pod ?? [];
    const other = makePodWith({
      state: { waiting: { reason: "ErrImagePull", message: "no route to host" } },
    });
    assert.notDeepEqual(pod, other);
    const plan = planFor({ sampledb, objects: { ...badImage.objects, Pod: [other] } });
    assert.equal(plan.length, 1);
    assert.deepEqual(eventsOf(plan), []);
  });

  it("have the same name in every pass that tells the same, and another for other news", () => {
    const later = { now: new Date("2026-01-01T03:00:00Z") };
    assert.deepEqual(namesIn(badImage), namesIn({ ...badImage, context: later }));
    assert.notDeepEqual(namesIn(badImage), namesIn(starting));
    assert.match(namesIn(badImage)[0] ?? "", /^orders\.[0-9a-f]{16}$/u);
  });

  it("have another name when the same happens again later", () => {
    const ready = written({});
    const failing = written(badImage, ready);
    const later = { now: new Date("2026-01-01T09:00:00Z") };
    const readyAgain = written({ context: later }, failing);
    const nameAfter = (sampledb: typeof ready): readonly unknown[] => namesIn({ ...badImage, sampledb });
    assert.deepEqual(nameAfter(ready), nameAfter(ready));
    assert.notDeepEqual(nameAfter(ready), nameAfter(readyAgain));
  });

  it("are about the SampleDB and say who reports", () => {
    const event = planFor(badImage).find((action) => action.do === "create")?.object;
    assert.ok(event?.kind === "Event");
    assert.deepEqual(event.involvedObject, {
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
      namespace: "shop",
      name: "orders",
      uid: "uid-orders",
    });
    assert.equal(event.reportingComponent, "sampledb-report");
  });

  it("stay out of a namespace that may be ending", () => {
    const sampledb = makeSampleDB({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } });
    assert.deepEqual(eventsOf(planFor({ sampledb })), []);
  });

  it("fit into what the API server takes", () => {
    const message = "x".repeat(3000);
    const plan = planFor({
      objects: {
        StatefulSet: [makeStatefulSet({ status: { replicas: 0, observedGeneration: 1 } })],
        Pod: [],
        Event: [makeEvent("uid-orders-1", "FailedCreate", message)],
      },
    });
    const event = plan.find((action) => action.do === "create")?.object;
    assert.ok(event?.kind === "Event");
    assert.equal(event.message?.length, 1024);
  });

  it("follow the pod: ready, restarted, ready again", () => {
    const ending = {
      objects: { Pod: [makePod({ metadata: { deletionTimestamp: "2026-01-01T00:59:00Z" } })] },
    };
    const restarting = written(ending, written({}));
    assert.deepEqual(eventsOf(planFor({ sampledb: restarting })), ["Normal DatabaseReady"]);
  });
});
