import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { untilOnly } from "../../support/remains.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { untilStalled } from "../../support/tells.ts";
import { type Volume, volumeOf } from "../../support/volume.ts";

const SPEC: SampleDBSpec = { version: "17", database: { name: "orders", owner: "seller" } };

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object as a backup has it: what the server set is left out. */
const asBackedUp = (text: string): string => {
  const object: unknown = JSON.parse(text);
  if (!isFields(object) || !isFields(object["metadata"])) throw new TypeError("not an object");
  const { name, namespace, labels, annotations } = object["metadata"];
  return JSON.stringify({ ...object, metadata: { name, namespace, labels, annotations } });
};

const REFUSALS: readonly { readonly what: string; readonly spec: SampleDBSpec; readonly why: RegExp }[] = [
  {
    what: "another version",
    spec: { ...SPEC, version: "15" },
    why: /it holds PostgreSQL 17 data and spec\.version is 15/u,
  },
  {
    what: "another database name",
    spec: { ...SPEC, database: { name: "sales", owner: "seller" } },
    why: /its database is orders and spec\.database\.name is sales/u,
  },
  {
    what: "another owner, to be wiped",
    spec: { ...SPEC, database: { name: "orders", owner: "buyer" }, deletion: { policy: "Wipe" } },
    why: /its owner role is seller and spec\.database\.owner is buyer/u,
  },
];

describe("what deletion policy Retain left", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  let volume: Volume;
  let password: string;
  let systemIdentifier: string;

  const passwordNow = (): Promise<string> =>
    orders.kubectl("get", "secret", "orders", "-o", "jsonpath={.data.password}");
  const kept = (): readonly string[] => [
    `persistentvolume/${volume.name}`,
    "persistentvolumeclaim/orders-1-1",
    "secret/orders",
    "secret/orders-superuser",
  ];
  const untouched = (): Promise<string> =>
    orders.kubectl(
      "get",
      "pvc/orders-1-1",
      "secret/orders",
      "secret/orders-superuser",
      "-o",
      "jsonpath={.items[*].metadata.resourceVersion}",
    );
  const deleteOrders = async (remaining = kept()): Promise<void> => {
    await orders.kubectl("delete", "sdb", "orders", "--timeout=300s");
    await untilOnly(cluster, orders, remaining);
  };
  const assertServesTheRow = async (): Promise<void> => {
    assert.equal(await orders.sql("SELECT item FROM sold"), "chair");
    assert.equal(await passwordNow(), password);
    assert.equal((await volumeOf(cluster, orders)).claimUid, volume.claimUid);
    const identifier = await orders.sql("SELECT system_identifier FROM pg_control_system()", "superuser");
    assert.equal(identifier, systemIdentifier);
    const marks = await orders.kubectl("get", "pvc,secrets", "-l", "sampledb.dev/retained", "-o", "name");
    assert.equal(marks, "");
  };

  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, "adopt");
    await orders.apply(SPEC);
    await orders.untilReady();
    await orders.sql("CREATE TABLE sold AS SELECT 'chair' AS item");
    volume = await volumeOf(cluster, orders);
    password = await passwordNow();
    systemIdentifier = await orders.sql("SELECT system_identifier FROM pg_control_system()", "superuser");
    await deleteOrders();
  });
  after(() => dropNamespaces("adopt"));

  it("is served by the next SampleDB of that name, with the old password, and status and an Event say so", async () => {
    await orders.apply(SPEC);
    await orders.untilReady();
    await assertServesTheRow();
    const provisioned = await orders.until("Provisioned", "True");
    assert.match(provisioned.message, /adopted existing volume/u);
    const { metadata } = await orders.get();
    const about = `involvedObject.uid=${metadata.uid ?? ""},reason=Provisioned`;
    const list = ["get", "events", "--field-selector", about, "-o", "jsonpath={.items[*].message}"];
    // It is written after the status that it tells of.
    const events = await waitUntil(async () => (await orders.kubectl(...list)) || undefined, {
      what: "the Event",
      timeoutMs: 300_000,
    });
    assert.match(events, /adopted existing volume/u);
    await deleteOrders();
  });

  for (const { what, spec, why } of REFUSALS) {
    it(`is refused to ${what}, with the reason, and stays as it is, also when that SampleDB is deleted`, async () => {
      const versions = await untouched();
      await orders.apply(spec);
      await untilStalled(orders, "AdoptionRefused", why);
      await deleteOrders();
      assert.equal(await untouched(), versions);
    });
  }

  it("is served again after the right SampleDB took the place of a refused one", async () => {
    await orders.apply(SPEC);
    await orders.untilReady();
    await assertServesTheRow();
    await deleteOrders();
  });

  for (const secret of ["orders", "orders-superuser"]) {
    it(`waits for Secret ${secret} where that was deleted, makes no other, and goes on when it is back`, async () => {
      const backup = asBackedUp(await orders.kubectl("get", "secret", secret, "-o", "json"));
      await orders.kubectl("delete", "secret", secret);
      await orders.apply(SPEC);
      await untilStalled(orders, "AdoptionRefused", /role's Secret that belongs to it is missing/u);
      await assert.rejects(orders.kubectl("get", "secret", secret), /not found/u);
      await assert.rejects(orders.kubectl("get", "statefulset", "orders-1"), /not found/u);
      await cluster.kubectl(["create", "-f", "-"], backup);
      await orders.until("Ready", "True");
      await assertServesTheRow();
      await deleteOrders();
    });
  }

  it("is never Ready with a password that it does not have, and is as soon as the Secret has the right one", async () => {
    const write = (value: string): Promise<string> =>
      orders.kubectl("patch", "secret", "orders", "-p", JSON.stringify({ data: { password: value } }));
    await write(Buffer.from("guessed").toString("base64"));
    await orders.apply(SPEC);
    const says = /do not fit the data on PersistentVolumeClaim orders-1-1/u;
    await untilStalled(orders, "CredentialsMismatch", says);
    await write(password);
    await orders.until("Ready", "True");
    await assertServesTheRow();
  });
});
