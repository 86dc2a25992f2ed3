import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilAtRest, untilCurrent, untilStalled } from "../../support/tells.ts";

// Admission cannot see into an image whose tag names no version.
const OTHER_NAME = "localhost/postgres:blue";
const OTHER_MAJOR = "localhost/postgres:green";

const specOf = (image: string): SampleDBSpec => ({ version: "17", image });

describe("spec.image", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  const podFact = (path: string): Promise<string> =>
    orders.kubectl("get", "pod", "orders-1-0", "-o", `jsonpath={${path}}`);
  const image = (): Promise<string> => podFact(".spec.containers[0].image");

  before(async () => {
    cluster = await sharedNode();
    await cluster.tagImage("localhost/postgres:17", OTHER_NAME);
    await cluster.tagImage("localhost/postgres:15", OTHER_MAJOR);
    orders = await database(cluster, "image");
    await orders.apply(specOf("localhost/postgres:17.99"));
  });
  after(() => dropNamespaces("image"));

  it("is named where it cannot be pulled, with the cause and what to do", async () => {
    const says = /^Image localhost\/postgres:17\.99 cannot be pulled: .+\. Correct spec\.image/su;
    await untilStalled(orders, "ImagePullFailed", says);
    assert.equal((await orders.condition("Initialized"))?.status, "False");
  });

  it("replaces, when it is corrected, the pod that never became Ready", async () => {
    const uid = await podFact(".metadata.uid");
    await orders.apply(specOf("localhost/postgres:17"));
    await untilCurrent(orders);
    assert.notEqual(await podFact(".metadata.uid"), uid);
    assert.deepEqual(await eventCounts(orders, "ImagePullFailed", "DatabaseReady"), {
      ImagePullFailed: 1,
      DatabaseReady: 1,
    });
  });

  it("rolls a running database when it changes, and the data stays", async () => {
    await untilAtRest(orders);
    await orders.sql("CREATE TABLE kept AS SELECT generate_series(1, 100) AS n");
    await orders.apply(specOf(OTHER_NAME));
    await untilCurrent(orders);
    assert.equal(await image(), OTHER_NAME);
    assert.equal(await orders.sql("SELECT sum(n) FROM kept"), "5050");
    assert.equal(await orders.kubectl("get", "jobs", "-o", "name"), "");
  });

  it("is refused by the pod, with both versions, where it holds another major than the data", async () => {
    await orders.apply(specOf(OTHER_MAJOR));
    const says = /the image holds PostgreSQL 15, this database is of version 17/u;
    await untilStalled(orders, "CrashLooping", says);
    await orders.apply(specOf("localhost/postgres:17"));
    await untilCurrent(orders);
    assert.equal(await image(), "localhost/postgres:17");
    assert.equal(await orders.sql("SELECT sum(n) FROM kept"), "5050");
  });
});
