import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { functionsDown } from "../../support/deploy/functions-down.ts";
import { runCronJob } from "../../support/deploy/run-cron-job.ts";
import { invalidSamples } from "../../support/read-samples.ts";
import { untilOnly } from "../../support/remains.ts";
import { sharedNode } from "../../support/shared-node.ts";

const UNREACHABLE = /failed calling webhook "mutate\.sampledb\.dev"/u;

describe("admission as it is deployed", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;

  const tryToCreate = (): Promise<string> =>
    cluster.kubectl(
      ["create", "--dry-run=server", "-f", "-"],
      JSON.stringify({
        apiVersion: "sampledb.dev/v1",
        kind: "SampleDB",
        metadata: { name: "another", namespace: "shop" },
      }),
    );
  const patch = (type: string, body: unknown, ...more: readonly string[]): Promise<string> =>
    orders.kubectl("patch", "sdb", "orders", `--type=${type}`, "-p", JSON.stringify(body), ...more);
  /** The API server takes a moment to notice that pods or webhooks changed. */
  const untilAccepted = (): Promise<string> =>
    waitUntil(tryToCreate, { what: "a creation", timeoutMs: 300_000, everyMs: 300 });
  const untilRefused = (why: RegExp): Promise<true> =>
    waitUntil(async () => ((await tryToCreate().catch(String)).search(why) >= 0 ? true : undefined), {
      what: "a refused creation",
      timeoutMs: 300_000,
      everyMs: 300,
    });

  before(async () => {
    cluster = await sharedNode();
    // Paused: what admission lets through is seen on the object, no database is needed for it.
    orders = await database(cluster, "shop");
    await orders.apply({ paused: true });
    await orders.until("Reconciling", "False", "Paused");
  });
  after(() => dropNamespaces("shop"));

  it("refuses an invalid SampleDB with every violation at once", async () => {
    const sample = invalidSamples().find(({ file }) => file === "several-at-once.yaml");
    assert.ok(sample);
    const refusal = await cluster.kubectl(["create", "-f", sample.path]).catch(String);
    for (const violation of sample.expected)
      assert.ok(refusal.includes(violation), `${refusal}: ${violation}`);
  });

  it("reads its key, which is for its group and nobody else", async () => {
    const key = "/etc/sampledb/tls/tls.key";
    const script =
      `const { mode, uid, gid } = require("fs").statSync("${key}");` +
      `console.log((mode & 0o777).toString(8), uid, gid, require("fs").readFileSync("${key}", "utf8").slice(0, 27));`;
    const exec = ["exec", "-n", "sampledb-system", "deployment/admission", "--", "node", "-e", script];
    assert.equal(await cluster.kubectl(exec), "440 0 1000 -----BEGIN PRIVATE KEY-----\n");
  });

  it("refuses a change that its database cannot follow", async () => {
    await assert.rejects(patch("merge", { spec: { version: "15" } }), /spec\.version: "15": .*17/u);
  });

  it("blocks nothing but new and changed SampleDBs while it is down", async () => {
    const up = await functionsDown(cluster, { admission: 2 });
    try {
      await untilRefused(UNREACHABLE);
      await assert.rejects(patch("merge", { spec: { paused: false } }), UNREACHABLE);
      const others = ["configmap/free", "serviceaccount/free"].map((other) =>
        orders.kubectl("create", ...other.split("/")),
      );
      await Promise.all([...others, cluster.kubectl(["create", "namespace", "free"])]);
      await patch("merge", { status: { version: "17" } }, "--subresource=status");
      await patch("merge", { metadata: { labels: { tier: "gold" } } });
      await orders.kubectl("delete", "sdb", "orders", "--timeout=300s");
      await untilOnly(cluster, orders, []);
      await cluster.kubectl(["delete", "namespace", "free", "--wait=false"]);
    } finally {
      await up();
    }
    await untilAccepted();
  });

  for (const kind of ["mutatingwebhookconfiguration", "validatingwebhookconfiguration"]) {
    it(`trusts its certificate again after certify's timer found the ${kind} without it`, async () => {
      await untilAccepted();
      const empty = [{ op: "replace", path: "/webhooks/0/clientConfig/caBundle", value: "" }];
      await cluster.kubectl(["patch", kind, "sampledb", "--type=json", "-p", JSON.stringify(empty)]);
      await untilRefused(/failed calling webhook .*certificate/u);
      await runCronJob((args, input) => cluster.kubectl(args, input), "certify");
      await untilAccepted();
    });
  }
});
