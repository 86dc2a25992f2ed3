import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { conflict, create, exists, merge, plans, run } from "./pass-scene.ts";

describe("a pass in conflict", () => {
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
});
