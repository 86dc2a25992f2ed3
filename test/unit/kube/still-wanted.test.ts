import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Abandoned, stillWanted } from "../../../functions/shared/kube/still-wanted.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const key = { namespace: "shop", name: "orders" };

describe("stillWanted", () => {
  it("asks once for creations that follow each other, and again where they take long", async (context) => {
    let now = 1000;
    context.mock.method(performance, "now", () => now);
    const deleted = makeSampleDB({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } });
    const cluster = fakeCluster({ sampledb: (reads) => (reads < 2 ? makeSampleDB() : deleted) });
    const confirm = stillWanted(cluster, await cluster.observe(key, new Set()));
    await confirm();
    now += 50;
    await confirm();
    assert.deepEqual(cluster.calls, ["observe", "sampledb"]);
    now += 100;
    await assert.rejects(confirm(), Abandoned);
  });

  it("asks less often where the answer takes long", async (context) => {
    let now = 1000;
    context.mock.method(performance, "now", () => now);
    const slow = fakeCluster({
      sampledb: () => {
        now += 60;
        return makeSampleDB();
      },
    });
    const confirm = stillWanted(slow, await slow.observe(key, new Set()));
    await confirm();
    now += 240;
    await confirm();
    assert.deepEqual(slow.calls, ["observe", "sampledb"]);
    now += 1;
    await confirm();
    assert.deepEqual(slow.calls, ["observe", "sampledb", "sampledb"]);
  });
});
