import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { InitScript, SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { applyInitSource } from "../../support/init-source.ts";
import { resyncNow } from "../../support/resync-now.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilAtRest, untilCurrent } from "../../support/tells.ts";

const TABLES = "CREATE TABLE items (n int);\n";
const ROWS = "INSERT INTO items SELECT generate_series(1, 3);\n";
const VIEWS =
  "-- no newline at the end\nCREATE VIEW total AS SELECT count(*) AS n FROM items;\nCREATE TABLE audit ()";

// In another order than that of their names: each needs what the one before made.
const INIT: readonly InitScript[] = [
  { configMapKeyRef: { name: "schema", key: "z-tables.sql" } },
  { secretKeyRef: { name: "customers", key: "rows.sql" } },
  { configMapKeyRef: { name: "schema", key: "a-views.sql" } },
];
const SPEC: SampleDBSpec = { version: "17", database: { name: "orders", owner: "seller" }, init: INIT };

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const RECORD = [
  `schema/z-tables.sql ${sha256(TABLES)}`,
  `customers/rows.sql ${sha256(ROWS)}`,
  `schema/a-views.sql ${sha256(VIEWS)}`,
];

describe("the init scripts of a new database", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;

  const putSchema = (tables: string): Promise<void> =>
    applyInitSource(cluster, {
      kind: "ConfigMap",
      namespace: "init",
      name: "schema",
      scripts: { "z-tables.sql": tables, "a-views.sql": VIEWS, "extra.sql": "DROP TABLE audit;" },
      database: "orders",
    });
  const record = async (): Promise<readonly string[]> =>
    (await orders.sql("SELECT name, digest FROM sampledb.init_scripts ORDER BY applied_at"))
      .split("\n")
      .map((line) => line.replace("|", " "));
  const appliedAt = (): Promise<string> => orders.sql("SELECT applied_at FROM sampledb.init_scripts");
  const claimAnnotations = (): Promise<string> =>
    orders.kubectl("get", "pvc", "orders-1-1", "-o", "jsonpath={.metadata.annotations}");

  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, "init");
    await putSchema(TABLES);
    await applyInitSource(cluster, {
      kind: "Secret",
      namespace: "init",
      name: "customers",
      scripts: { "rows.sql": ROWS },
    });
    await orders.apply(SPEC);
    await orders.untilReady();
  });
  after(() => dropNamespaces("init"));

  it("run in the order of the spec, as the owner role, and are recorded with their digests", async () => {
    assert.equal(
      await orders.sql(
        "SELECT string_agg(relname || ' ' || pg_get_userbyid(relowner), ', ' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace",
      ),
      "audit seller, items seller, total seller",
    );
    assert.equal(await orders.sql("SELECT n FROM total"), "3");
    assert.deepEqual(await record(), RECORD);
    assert.equal((await orders.condition("Initialized"))?.status, "True");
  });

  it("leave one Event of each turn and no Job", async () => {
    await untilAtRest(orders);
    assert.equal(await orders.kubectl("get", "jobs", "-o", "name"), "");
    assert.deepEqual(await eventCounts(orders, "DatabaseReady", "Initialized", "Provisioned"), {
      DatabaseReady: 1,
      Initialized: 1,
      Provisioned: 1,
    });
  });

  it("are skipped by another Job when the claim's record of them is lost", async () => {
    const times = await appliedAt();
    const lost = ["sampledb.dev/init-scripts-", "sampledb.dev/credentials-verified-"];
    await orders.kubectl("annotate", "pvc", "orders-1-1", ...lost);
    await waitUntil(async () => ((await claimAnnotations()).includes("init-scripts") ? true : undefined), {
      what: "the record on the claim",
      timeoutMs: 600_000,
    });
    await untilAtRest(orders);
    assert.equal(await appliedAt(), times);
    assert.equal(await orders.sql("SELECT n FROM total"), "3");
  });

  it("are not run again when they, or the list of them, change later", async () => {
    await putSchema("DROP TABLE items CASCADE;\n");
    await orders.apply({
      ...SPEC,
      init: [...INIT, { configMapKeyRef: { name: "schema", key: "extra.sql" } }],
    });
    await untilCurrent(orders);
    await resyncNow(cluster);
    assert.equal(await orders.kubectl("get", "jobs", "-o", "name"), "");
    assert.deepEqual(await record(), RECORD);
    assert.equal(await orders.sql("SELECT n FROM total"), "3");
  });
});
