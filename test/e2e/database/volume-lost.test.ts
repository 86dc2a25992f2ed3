import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { untilCurrent, untilStalled } from "../../support/tells.ts";
import { type Volume, volumeOf } from "../../support/volume.ts";

/** `key=value` pairs that a message names, of our domain. */
const marksIn = (message: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...message.matchAll(/(sampledb\.dev\/[\w-]+)=([\w-]+)/gu)].map(([, key = "", value = ""]) => [
      key,
      value,
    ]),
  );

describe("a database whose claim was deleted by hand", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  let volume: Volume;
  let advice: string;

  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, "volume-lost");
    await orders.apply({ version: "17" });
    await orders.untilReady();
    await orders.sql("CREATE TABLE kept AS SELECT 42 AS n");
    volume = await volumeOf(cluster, orders);
    await orders.kubectl("delete", "pvc", "orders-1-1", "--wait=false");
    await orders.kubectl("delete", "pod", "orders-1-0", "--wait=false");
    await orders.kubectl("wait", "--for=delete", "pvc/orders-1-1", "--timeout=300s");
  });
  after(() => dropNamespaces("volume-lost"));

  it("gets no empty volume in its place, and is told how to bring the data back", async () => {
    // Before, it is told that the claim is being deleted, under the same reason.
    const says = /^PersistentVolumeClaim orders-1-1 is gone, and it held the data\./u;
    advice = await untilStalled(orders, "VolumeLost", says);
    assert.match(advice, /remove that one's spec\.claimRef and bind a claim of that name to it/u);
    await assert.rejects(orders.kubectl("get", "pvc", "orders-1-1"), /not found/u);
  });

  it("serves the data again once that was done to the letter", async () => {
    const { "sampledb.dev/database": name, ...annotations } = marksIn(advice);
    await cluster.kubectl(["patch", "pv", volume.name, "--type=merge", "-p", '{"spec":{"claimRef":null}}']);
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "orders-1-1", labels: { "sampledb.dev/database": name }, annotations },
      spec: {
        accessModes: ["ReadWriteOnce"],
        volumeName: volume.name,
        storageClassName: "local-path",
        resources: { requests: { storage: "1Gi" } },
      },
    };
    await cluster.kubectl(["-n", orders.namespace, "create", "-f", "-"], JSON.stringify(claim));
    await untilCurrent(orders);
    assert.equal(await orders.sql("SELECT n FROM kept"), "42");
  });
});
