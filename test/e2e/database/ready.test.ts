import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { functionWrites, writeText } from "../../support/audit-log.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { SYSTEM_NAMESPACE } from "../../support/deploy/deploy.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { untilAtRest } from "../../support/tells.ts";

const restartSource = async (cluster: LocalCluster): Promise<void> => {
  const deployment = ["-n", SYSTEM_NAMESPACE, "deployment/source"];
  await cluster.kubectl(["rollout", "restart", ...deployment]);
  await cluster.kubectl(["rollout", "status", ...deployment, "--timeout=600s"]);
};

/** What the functions wrote in the namespace and of this PersistentVolume. */
const writesFor = async (cluster: LocalCluster, volume: string): Promise<readonly string[]> =>
  (await functionWrites(cluster.auditLogFile))
    .filter(({ objectRef }) => objectRef?.namespace === "ready" || objectRef?.name === volume)
    .map(writeText);

const passesOf = async (cluster: LocalCluster): Promise<number> =>
  (await cluster.kubectl(["logs", "-n", SYSTEM_NAMESPACE, "deployment/reconcile", "--tail=-1"]))
    .split("\n")
    .filter((line) => line.includes('"key":"ready/orders"')).length;

describe("a SampleDB that was applied", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, "ready");
    await orders.apply({ version: "17", database: { name: "orders", owner: "seller" } });
    await orders.untilReady();
  });
  after(() => dropNamespaces("ready"));

  it("is a PostgreSQL that answers as the owner role of the asked database", async () => {
    const answer = await orders.sql("SELECT current_user || ' ' || current_database() || ' ' || 6 * 7");
    assert.equal(answer, "seller orders 42");
    assert.match(await orders.sql("SHOW server_version"), /^17\./u);
  });

  it("is bound by the Secret's uri alone", async () => {
    const uri = Buffer.from(
      await orders.kubectl("get", "secret", "orders", "-o", "jsonpath={.data.uri}"),
      "base64",
    ).toString();
    const answer = await orders.kubectl("exec", "orders-1-0", "--", "psql", uri, "-XAtc", "SELECT 1");
    assert.equal(answer.trim(), "1");
    const { status } = await orders.get();
    assert.equal(status?.binding?.name, "orders");
    assert.equal(status?.version, "17");
    assert.equal(status?.endpoint, "orders.ready.svc:5432");
    assert.equal(status?.storage?.claim, "orders-1-1");
  });

  it("keeps passwords as SCRAM, trusts no line of pg_hba.conf and has data checksums", async () => {
    const asSuperuser = (statement: string): Promise<string> => orders.sql(statement, "superuser");
    assert.equal(
      await asSuperuser(
        "SELECT count(*) FROM pg_authid WHERE rolpassword IS NOT NULL AND rolpassword NOT LIKE 'SCRAM-SHA-256$%'",
      ),
      "0",
    );
    assert.equal(
      await asSuperuser("SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules"),
      "scram-sha-256",
    );
    assert.equal(await asSuperuser("SHOW data_checksums"), "on");
    await assert.rejects(
      orders.kubectl("exec", "orders-1-0", "--", "psql", "-w", "-U", "postgres", "-c", "SELECT 1"),
      /no password supplied/u,
    );
  });

  it("has its PersistentVolume kept, whatever deletes the claim", async () => {
    const volume = await orders.kubectl("get", "pvc", "orders-1-1", "-o", "jsonpath={.spec.volumeName}");
    const facts = await orders.kubectl(
      "get",
      "pv",
      volume,
      "-o",
      "jsonpath={.spec.persistentVolumeReclaimPolicy} {.metadata.labels.sampledb\\.dev/database} {.metadata.labels.sampledb\\.dev/namespace}",
    );
    assert.equal(facts, "Retain orders ready");
  });

  it("shows version, readiness and endpoint in kubectl get", async () => {
    const [head = "", line = ""] = (await orders.kubectl("get", "sdb", "orders")).split("\n");
    assert.match(head, /^NAME +VERSION +READY/u);
    assert.match(line, /^orders +17 +True/u);
  });

  it("causes no write any more, also when source starts anew and sends everything that exists", async () => {
    await untilAtRest(orders);
    const volume = await orders.kubectl("get", "pvc", "orders-1-1", "-o", "jsonpath={.spec.volumeName}");
    await restartSource(cluster);
    const [writes, seen] = [await writesFor(cluster, volume), await passesOf(cluster)];
    await restartSource(cluster);
    await waitUntil(async () => (await passesOf(cluster)) > seen || undefined, {
      what: "source's events after its restart",
      timeoutMs: 300_000,
      everyMs: 200,
    });
    assert.deepEqual((await writesFor(cluster, volume)).slice(writes.length), []);
  });
});
