import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { functionWrites, writeText } from "../../support/audit-log.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { type FunctionProcess, startFunction } from "../../support/function-process.ts";
import { allChildren, apply, clusterWithCrd, sendEvent, untilConverged, untilQuiet } from "./world.ts";

describe("what the functions write", () => {
  let cluster: LocalCluster;
  let reconcile: FunctionProcess;
  let source: FunctionProcess;
  let url: string;

  before(async () => {
    cluster = await clusterWithCrd();
    reconcile = startFunction("reconcile", { KUBECONFIG: cluster.kubeconfig });
    url = await reconcile.url();
    source = startFunction("source", { KUBECONFIG: cluster.kubeconfig, SINK: url });
  });
  after(async () => {
    await source[Symbol.asyncDispose]();
    await reconcile[Symbol.asyncDispose]();
    await cluster.stop();
  });

  it("is at most three times per child in a first convergence, and nothing twice", async () => {
    await apply(cluster, "orders");
    await untilConverged(cluster, "orders");
    const all = await untilQuiet(cluster);
    const writes = all.filter(
      ({ objectRef }) => !["events", "sampledbs"].includes(objectRef?.resource ?? ""),
    );
    const perObject = Map.groupBy(writes, ({ objectRef }) => `${objectRef?.resource}/${objectRef?.name}`);
    const tooMany = [...perObject].filter(([, list]) => list.length > 3).map(([object]) => object);
    assert.deepEqual(tooMany, [], writes.map(writeText).join("\n"));
    assert.equal(perObject.size, allChildren("orders").length, writes.map(writeText).join("\n"));
    // Without admission the first pass adds the finalizer, so its own status write comes too late once and is made anew.
    const refused = all.filter(({ responseStatus }) => (responseStatus?.code ?? 0) >= 400).map(writeText);
    assert.deepEqual(
      refused.filter((text) => text !== "patch sampledbs/status default/orders"),
      [],
    );
    assert.ok(refused.length <= 1, refused.join("\n"));
  });

  it("is nothing at the fixed point, whatever event comes, to whichever path", async () => {
    const earlier = (await untilQuiet(cluster)).length;
    const paths = ["", "/provision", "/initialize", "/retire", "/report"];
    for (const path of paths) {
      for (const name of ["orders", "orders", "nobody", "orders-1"]) {
        assert.equal(await sendEvent(`${url}${path || "/"}`, name), 204);
      }
    }
    const writes = await functionWrites(cluster.auditLogFile);
    assert.deepEqual(writes.slice(earlier).map(writeText), []);
  });

  it("is nothing for a SampleDB that admission would have refused, but its status", async () => {
    const earlier = (await untilQuiet(cluster)).length;
    await apply(cluster, "unpinned", { image: "registry.example.com/postgres:latest" }).catch(
      () => undefined,
    );
    const writes = (await untilQuiet(cluster)).slice(earlier);
    assert.deepEqual(
      writes.filter(
        ({ objectRef }) => objectRef?.subresource !== "status" && objectRef?.resource !== "events",
      ),
      [],
    );
  });
});
