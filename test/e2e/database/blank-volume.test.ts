import assert from "node:assert/strict";
import { readdir, rename } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilCurrent, untilStalled } from "../../support/tells.ts";
import { type Volume, volumeOf } from "../../support/volume.ts";

const SPEC: SampleDBSpec = { version: "17" };

describe("a volume that held a database and is empty", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  let volume: Volume;
  const away = (): string => `${volume.folder}-moved-away`;

  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, "blank-volume");
    await orders.apply(SPEC);
    await orders.untilReady();
    await orders.sql("CREATE TABLE kept AS SELECT 42 AS n");
    volume = await volumeOf(cluster, orders);
    await orders.apply({ ...SPEC, paused: true });
    // A pass that read it before would scale it up again.
    await orders.until("Reconciling", "False", "Paused");
    await orders.kubectl("scale", "statefulset", "orders-1", "--replicas=0");
    await orders.kubectl("wait", "--for=delete", "pod/orders-1-0", "--timeout=300s");
    await rename(`${volume.folder}/pgdata`, away());
    await orders.apply({ ...SPEC, paused: false });
  });
  after(() => dropNamespaces("blank-volume"));

  it("is not initialised again: the pod refuses to start and the conditions say what to do", async () => {
    await untilStalled(
      orders,
      "VolumeBlank",
      /PersistentVolumeClaim orders-1-1 held a database and is empty now; nothing was written to it\. Bring the data back/u,
    );
    assert.deepEqual(await readdir(volume.folder), []);
  });

  it("is served again once the data is back, by itself", async () => {
    await rename(away(), `${volume.folder}/pgdata`);
    await untilCurrent(orders);
    assert.equal(await orders.sql("SELECT n FROM kept"), "42");
    assert.deepEqual(await eventCounts(orders, "VolumeBlank"), { VolumeBlank: 1 });
  });
});
