import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { applyInitSource } from "../../support/init-source.ts";
import { resyncNow } from "../../support/resync-now.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilCurrent, untilStalled } from "../../support/tells.ts";

const NAMESPACE = "credentials";
const SPEC: SampleDBSpec = { version: "17", deletion: { policy: "Retain" } };

const passwordOf = ({ kubectl }: Database, secret: string): Promise<string> =>
  kubectl("get", "secret", secret, "-o", "jsonpath={.data.password}");

const setPassword = ({ kubectl }: Database, secret: string, base64: string): Promise<string> =>
  kubectl("patch", "secret", secret, "--type=merge", "-p", JSON.stringify({ data: { password: base64 } }));

const OTHER = Buffer.from("another-password").toString("base64");

describe("credentials and the data that they belong to", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  let early: Database;

  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, NAMESPACE);
    early = await database(cluster, NAMESPACE, "early");
    const init = [{ configMapKeyRef: { name: "early-sql", key: "a.sql" } }];
    await Promise.all([orders.apply(SPEC), early.apply({ ...SPEC, init })]);
    await orders.untilReady();
    await orders.sql("CREATE TABLE kept AS SELECT 42 AS n");
  });
  after(() => dropNamespaces(NAMESPACE));

  it("are told to be missing, and never made anew over the data, when the Secrets are deleted", async () => {
    const names = ["orders", "orders-superuser"];
    const saved = await orders.kubectl("get", "secret", ...names, "-o", "json");
    await orders.kubectl("delete", "secret", ...names);
    const message = await untilStalled(
      orders,
      "CredentialsMissing",
      /^Secret orders and Secret orders-superuser with the credentials of the data on PersistentVolumeClaim orders-1-1 is missing/u,
    );
    assert.match(message, /Bring it back with its old password/u);
    await resyncNow(cluster);
    assert.equal(await orders.kubectl("get", "secret", ...names, "--ignore-not-found", "-o", "name"), "");
    await cluster.kubectl(["apply", "-f", "-"], saved);
    await untilCurrent(orders);
    assert.equal(await orders.sql("SELECT n FROM kept"), "42");
  });

  it("are tried on an adopted volume: a password that does not fit is told with the way out", async () => {
    const right = await passwordOf(orders, "orders");
    await orders.kubectl("delete", "sdb", "orders", "--timeout=300s");
    await setPassword(orders, "orders", OTHER);
    await orders.apply(SPEC);
    const says = /do not fit the data on PersistentVolumeClaim orders-1-1\./u;
    const message = await untilStalled(orders, "CredentialsMismatch", says);
    assert.match(
      message,
      /role app of the data cannot log in with the password in Secret orders\. Put the password that the data was made with there\./u,
    );
    assert.doesNotMatch(message, /another-password/u);
    await setPassword(orders, "orders", right);
    await untilCurrent(orders);
    assert.equal(await orders.sql("SELECT n FROM kept"), "42");
    assert.deepEqual(await eventCounts(orders, "CredentialsMismatch"), { CredentialsMismatch: 1 });
  });

  it("are tried again when a password of a ready database is replaced, which becomes Ready once the role has it", async () => {
    const superuser = await passwordOf(orders, "orders-superuser");
    await setPassword(orders, "orders", OTHER);
    await untilStalled(
      orders,
      "CredentialsMismatch",
      /role app of the data cannot log in .* or when you delete Job orders-init after you gave the role that password\.$/su,
    );
    await orders.sql("ALTER ROLE app PASSWORD 'another-password'", "superuser");
    await orders.kubectl("delete", "job", "orders-init");
    await untilCurrent(orders);
    assert.equal(await orders.sql("SELECT n FROM kept"), "42");
    assert.equal(await passwordOf(orders, "orders-superuser"), superuser);
  });

  it("are told not to fit when the superuser's password is replaced before init", async () => {
    await untilStalled(early, "InitSourceMissing", /spec\.init\[0\]/u);
    // That is told at once: the data has to be there, made with the password that is right.
    await early.kubectl("rollout", "status", "statefulset/early-1", "--timeout=300s");
    const right = await passwordOf(early, "early-superuser");
    await setPassword(early, "early-superuser", OTHER);
    const scripts = { "a.sql": "CREATE TABLE made ();" };
    await applyInitSource(cluster, {
      kind: "ConfigMap",
      namespace: NAMESPACE,
      name: "early-sql",
      scripts,
      database: "early",
    });
    await untilStalled(
      early,
      "CredentialsMismatch",
      /role postgres of the data cannot log in with the password in Secret early-superuser\./u,
    );
    await setPassword(early, "early-superuser", right);
    await untilCurrent(early);
    assert.equal(await early.sql("SELECT count(*) FROM made"), "0");
  });
});
