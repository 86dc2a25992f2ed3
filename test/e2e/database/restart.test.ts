import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { sharedNode } from "../../support/shared-node.ts";

describe("a database that is restarted", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  const podUid = (): Promise<string> =>
    orders.kubectl("get", "pod", "orders-1-0", "-o", "jsonpath={.metadata.uid}");

  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, "restart");
    await orders.apply({ version: "15" });
    await orders.untilReady();
    await orders.sql("CREATE TABLE kept (n int)");
    await orders.sql("INSERT INTO kept SELECT generate_series(1, 1000)");
  });
  after(() => dropNamespaces("restart"));

  it("has its data and becomes Ready by itself after its pod was deleted", async () => {
    const uid = await podUid();
    await orders.kubectl("delete", "pod", "orders-1-0", "--wait=true");
    await waitUntil(async () => (await podUid()) !== uid || undefined, {
      what: "another pod",
      timeoutMs: 300_000,
    });
    await orders.untilReady();
    await waitUntil(async () => (await orders.sql("SELECT sum(n) FROM kept")) === "500500" || undefined, {
      what: "the data",
      timeoutMs: 300_000,
    });
  });

  it("goes on while the kubelet is restarted", async () => {
    const uid = await podUid();
    await cluster.stopComponent("kubelet");
    await cluster.startComponent("kubelet");
    await waitUntil(async () => (await orders.sql("SELECT sum(n) FROM kept")) === "500500" || undefined, {
      what: "the data",
      timeoutMs: 300_000,
    });
    await orders.untilReady();
    assert.equal(await podUid(), uid);
  });
});
