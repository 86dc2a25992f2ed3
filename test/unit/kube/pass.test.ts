import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Action } from "../../../functions/shared/kube/action.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";
import type { PlanContext, ReconcileFunction } from "../../../functions/shared/kube/reconcile-function.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { create, forbidden, merge, plans, ref, run } from "./pass-scene.ts";

describe("pass", () => {
  it("observes once what all functions read, and writes each plan under its own field manager", async () => {
    const { outcome, calls } = await run(fakeCluster({}), [
      { ...plans("provision", merge), reads: ["Secret", "Pod"] },
      { ...plans("report", merge), reads: ["Pod", "Event"] },
    ]);
    assert.equal(outcome, "settled");
    assert.deepEqual(calls, [
      "observe Secret Pod Event",
      "sampledb-provision merge SampleDB",
      "sampledb-report merge SampleDB",
    ]);
  });
  it("writes nothing where the plans are empty", async () => {
    assert.deepEqual((await run(fakeCluster({}), [plans("provision")])).calls, ["observe Secret"]);
  });
  it("reads the SampleDB again before the first creation, and only then", async () => {
    const { calls } = await run(fakeCluster({}), [plans("provision", merge, create, create)]);
    assert.deepEqual(calls.slice(1), [
      "sampledb-provision merge SampleDB",
      "sampledb",
      "sampledb-provision create Service",
      "sampledb-provision create Service",
    ]);
  });

  it("reads the SampleDB again before a volume is kept: a deletion may be giving it up", async () => {
    const volume: Action = { do: "merge", ref: { ...ref, kind: "PersistentVolume", name: "pv" }, patch: {} };
    const deleted = makeSampleDB({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } });
    const cluster = fakeCluster({ sampledb: (reads) => (reads === 0 ? makeSampleDB() : deleted) });
    const { outcome, calls } = await run(cluster, [plans("provision", volume)]);
    assert.equal(outcome, "abandoned");
    assert.deepEqual(calls, ["observe Secret", "sampledb"]);
  });

  const replacements = [
    { name: "gone", after: undefined },
    { name: "another with the same name", after: makeSampleDB({ metadata: { uid: "uid-other" } }) },
    {
      name: "being deleted",
      after: makeSampleDB({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } }),
    },
  ];
  for (const { name, after } of replacements) {
    it(`creates nothing when the SampleDB turns out to be ${name}`, async () => {
      const cluster = fakeCluster({ sampledb: (reads) => (reads === 0 ? makeSampleDB() : after) });
      const { outcome, calls } = await run(cluster, [plans("provision", create), plans("report", merge)]);
      assert.equal(outcome, "abandoned");
      assert.deepEqual(calls, ["observe Secret", "sampledb"]);
    });
  }
  it("plans anew where the spec changed after it was observed: an old one must not be carried out over a new one", async () => {
    const generations = [1, 2, 2, 2];
    const cluster = fakeCluster({
      sampledb: (reads) => makeSampleDB({ metadata: { generation: generations[reads] ?? 2 } }),
    });
    const { outcome, calls } = await run(cluster, [plans("provision", create)]);
    assert.equal(outcome, "settled");
    assert.deepEqual(calls, [
      "observe Secret",
      "sampledb",
      "observe Secret",
      "sampledb",
      "sampledb-provision create Service",
    ]);
  });
  it("goes on when the deletion had been observed", async () => {
    const deleted = makeSampleDB({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } });
    const { outcome } = await run(fakeCluster({ sampledb: () => deleted }), [plans("retire", create)]);
    assert.equal(outcome, "settled");
  });

  it("ends a function's turn at a refused write and tells it to the functions after it", async () => {
    const cluster = fakeCluster({
      write: (nth) => {
        if (nth === 0) throw forbidden();
      },
    });
    const seen: PlanContext["refused"][] = [];
    const looking = (name: string): ReconcileFunction => ({
      name,
      reads: [],
      plan: (_, { refused }) => {
        seen.push(refused);
        return [];
      },
    });
    const { outcome, calls, notes } = await run(cluster, [
      looking("initialize"),
      plans("provision", create, create),
      looking("report"),
    ]);
    assert.equal(outcome, "settled");
    assert.equal(calls.filter((call) => call.startsWith("sampledb-provision")).length, 1);
    const refused = {
      by: "provision",
      object: "Service orders",
      code: 403,
      reason: "Forbidden",
      message: "no",
    };
    assert.deepEqual(seen, [[], [refused]]);
    assert.deepEqual(notes, [{ note: "refused", by: "provision", write: refused }]);
  });

  it("keeps a plan that throws from the other functions, and says so", async () => {
    const bug = new Error("bug");
    const broken: ReconcileFunction = {
      name: "provision",
      reads: [],
      plan: () => {
        throw bug;
      },
    };
    const { outcome, calls, notes } = await run(fakeCluster({}), [broken, plans("report", merge)]);
    assert.equal(outcome, "settled");
    assert.deepEqual(calls.at(-1), "sampledb-report merge SampleDB");
    assert.deepEqual(notes[0], { note: "plan-failed", by: "provision", cause: bug });
  });

  it("is unreadable where the API server does not let it read", async () => {
    const cluster = fakeCluster({
      observe: () => {
        throw forbidden();
      },
    });
    assert.equal((await run(cluster, [plans("provision", merge)])).outcome, "unreadable");
  });
  it("throws only when the API server cannot be used", async () => {
    const cluster = fakeCluster({
      write: () => {
        throw new Fault("unavailable", "no answer in time");
      },
    });
    await assert.rejects(run(cluster, [plans("provision", merge)]), { sort: "unavailable" });
  });
  it("gives each plan fresh passwords of 32 letters and digits", async () => {
    const passwords: string[] = [];
    const asking: ReconcileFunction = {
      name: "provision",
      reads: [],
      plan: (_, { newPassword }) => {
        passwords.push(newPassword(), newPassword());
        return [];
      },
    };
    await run(fakeCluster({}), [asking]);
    assert.equal(new Set(passwords).size, 2);
    for (const password of passwords) assert.match(password, /^[A-Za-z0-9]{32}$/u);
  });
});
