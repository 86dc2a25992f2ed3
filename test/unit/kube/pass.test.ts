import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { Action, Ref } from "../../../functions/shared/kube/action.ts";
import { Fault } from "../../../functions/shared/kube/fault.ts";
import { pass } from "../../../functions/shared/kube/pass.ts";
import type { PassNote } from "../../../functions/shared/kube/pass.ts";
import type { PlanContext, ReconcileFunction } from "../../../functions/shared/kube/reconcile-function.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import type { FakeCluster } from "../../support/fake-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const key = { namespace: "shop", name: "orders" };
const ref: Ref = { kind: "SampleDB", ...key, uid: "uid-orders", resourceVersion: "1" };
const create: Action = {
  do: "create",
  object: { apiVersion: "v1", kind: "Service", metadata: { name: "orders", namespace: "shop" } },
};
const merge: Action = { do: "merge", ref, patch: {} };

const plans = (name: string, ...actions: readonly Action[]): ReconcileFunction => ({
  name,
  reads: ["Secret"],
  plan: () => actions,
});

const run = async (cluster: FakeCluster, functions: readonly ReconcileFunction[]) => {
  const notes: PassNote[] = [];
  const outcome = await pass(
    {
      clusterUntil: () => cluster,
      functions,
      catalog: () => BUILT_IN_CATALOG,
      tell: (note) => notes.push(note),
    },
    key,
  );
  return { outcome, notes, calls: cluster.calls };
};

const forbidden = () => new Fault("refused", "no", { code: 403, reason: "Forbidden" });
const conflict = () => new Fault("conflict", "changed", { code: 409 });
const exists = () => new Fault("conflict", "already exists", { code: 409, reason: "AlreadyExists" });

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

  it("observes again after a conflict", async () => {
    const cluster = fakeCluster({
      write: (nth) => {
        if (nth === 0) throw conflict();
      },
    });
    const { outcome, calls } = await run(cluster, [plans("provision", merge)]);
    assert.equal(outcome, "settled");
    assert.deepEqual(calls, [
      "observe Secret",
      "sampledb-provision merge SampleDB",
      "observe Secret",
      "sampledb-provision merge SampleDB",
    ]);
  });
  it("reads again where what it was to make exists: another pass made it", async () => {
    const cluster = fakeCluster({
      write: (nth) => {
        if (nth === 0) throw exists();
      },
    });
    const { outcome, calls } = await run(cluster, [plans("provision", create)]);
    assert.equal(outcome, "settled");
    assert.equal(calls.filter((call) => call.startsWith("observe")).length, 2);
  });

  it("takes what is in its way twice for somebody else's: refused, and told", async () => {
    const cluster = fakeCluster({
      write: (_, action) => {
        if (action.do === "create") throw exists();
      },
    });
    const { outcome, calls, notes } = await run(cluster, [
      plans("provision", create),
      plans("report", merge),
    ]);
    assert.equal(outcome, "settled");
    assert.equal(calls.at(-1), "sampledb-report merge SampleDB");
    const [note] = notes;
    assert.equal(note?.note === "refused" && note.write.object, "Service orders");
    assert.match(
      note?.note === "refused" ? note.write.message : "",
      /^it exists already and is not this SampleDB's: delete or rename it/u,
    );
  });

  it("gives up on a conflict that lasts, soon", async () => {
    const start = performance.now();
    const cluster = fakeCluster({
      write: () => {
        throw conflict();
      },
    });
    const { outcome, calls } = await run(cluster, [plans("provision", merge)]);
    assert.equal(outcome, "conflict");
    assert.ok(calls.length > 2, "it tried again");
    assert.ok(performance.now() - start < 1000);
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
