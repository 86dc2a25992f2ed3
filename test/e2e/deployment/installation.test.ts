import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { SYSTEM_NAMESPACE } from "../../support/deploy/deploy.ts";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { LOCAL_DEPLOYMENT } from "../../support/deploy/local-images.ts";
import { npmRun, userFolder } from "../../support/deploy/npm-run.ts";
import { errorLines } from "../../support/function-logs.ts";
import { rightsUsed } from "../../support/kustomize/rights-used.ts";
import { untilOnly } from "../../support/remains.ts";
import { sharedNode } from "../../support/shared-node.ts";

const IMAGE = ["--image", LOCAL_DEPLOYMENT.image];
/** The same under another name: what an upgrade brings. */
const NEXT = ["--image", "localhost/sampledb-functions:next"];
const FUNCTIONS = ["provision", "initialize", "retire", "report"] as const;
const IN = ["-n", SYSTEM_NAMESPACE];

/** How long `act` took until everything was ready again, and how long of that new SampleDBs were refused, in milliseconds. */
const refusedWhile = async (
  tryToCreate: () => Promise<unknown>,
  act: () => Promise<unknown>,
): Promise<{ readonly refused: number; readonly all: number }> => {
  const began = performance.now();
  const over = new AbortController();
  const acting = act().finally(() => over.abort());
  let refused = 0;
  while (!over.signal.aborted) {
    const started = performance.now();
    const isRefused = await tryToCreate().then(
      () => false,
      () => true,
    );
    if (isRefused) refused += performance.now() - started;
  }
  await acting;
  return { refused, all: performance.now() - began };
};

describe("an installation", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let orders: Database;
  let podUid: string;
  const kubectl: Kubectl = (args, input) => cluster.kubectl(args, input);
  /** `npm run deploy` or `uninstall`, which must be done; gives what it said. */
  const command = async (name: "deploy" | "uninstall", ...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await npmRun(cluster, [name, "--platform", "kubernetes", ...args]);
    assert.equal(code, 0, `${out}\n${err}`);
    return out;
  };
  /** Those that are not on their way out: what was replaced before may take half a minute to go. */
  const functionPods = (): Promise<string> =>
    kubectl([
      "get",
      "pods",
      ...IN,
      "-l",
      "app.kubernetes.io/component in (admission,reconcile,source)",
      "-o",
      "go-template={{range .items}}{{if not .metadata.deletionTimestamp}}{{.metadata.uid}} {{end}}{{end}}",
    ]);
  const podNow = (): Promise<string> =>
    orders.kubectl(
      "get",
      "pod",
      "orders-1-0",
      "-o",
      "jsonpath={.metadata.uid} {.status.containerStatuses[0].restartCount}",
    );
  const tryToCreate = (): Promise<string> =>
    kubectl(
      ["create", "--dry-run=server", "-f", "-"],
      JSON.stringify({
        apiVersion: "sampledb.dev/v1",
        kind: "SampleDB",
        metadata: { name: "new", namespace: "installed" },
      }),
    );
  const assertUntouched = async (): Promise<void> => {
    assert.equal(await podNow(), podUid);
    assert.equal(await orders.sql("SELECT n FROM kept"), "1");
  };

  before(async () => {
    cluster = await sharedNode();
    orders = await database(cluster, "installed");
    await orders.apply({});
    await orders.untilReady();
    await orders.sql("CREATE TABLE kept AS SELECT 1 AS n");
    podUid = await podNow();
  });
  after(() => dropNamespaces("installed"));

  it("has logged no error in all that was asked of it so far", async () => {
    assert.deepEqual(await errorLines(cluster), []);
  });

  it("is upgraded under running databases, and refuses new ones for a few seconds at most", async () => {
    await cluster.tagImage(LOCAL_DEPLOYMENT.image, "localhost/sampledb-functions:next");
    const { refused, all } = await refusedWhile(tryToCreate, async () => {
      await using folder = await userFolder(LOCAL_DEPLOYMENT);
      await command("deploy", ...NEXT, "--write", folder.path);
    });
    // On a slow machine everything takes longer, and this no larger part of it.
    const most = Math.max(30_000, all / 2);
    assert.ok(refused < most, `new SampleDBs were refused for ${refused} ms of ${all} ms`);
    await orders.untilReady();
    await assertUntouched();
  });

  it("is left alone by a deployment that finds everything there", async () => {
    await using folder = await userFolder(LOCAL_DEPLOYMENT);
    const pods = await functionPods();
    assert.match(
      await command("deploy", ...NEXT, "--write", folder.path),
      /^Done: everything was there already/mu,
    );
    assert.equal(await functionPods(), pods);
    await assertUntouched();
  });

  it("is not replaced by an image that nobody can pull, which is told", async () => {
    const pods = (await functionPods()).trim().split(" ");
    const args = ["--platform", "kubernetes", "--image", "localhost/nowhere:1"];
    const { code, err } = await npmRun(cluster, ["deploy", ...args]);
    assert.equal(code, 1);
    assert.match(
      err,
      /^SampleDB does not come up: Pod sampledb-system\/\S+: \w+: [\s\S]*localhost\/nowhere:1/mu,
    );
    const now = new Set((await functionPods()).split(" "));
    for (const pod of pods) assert.ok(now.has(pod), pod);
    await using folder = await userFolder(LOCAL_DEPLOYMENT);
    await command("deploy", ...IMAGE, "--write", folder.path);
  });

  it("leaves SampleDBs and databases when it is removed, webhooks first, and lets users change them", async () => {
    const out = await command("uninstall");
    assert.match(
      out,
      /remove the webhook configurations[\s\S]*remove the overlay[\s\S]*^Done: \d+ objects removed/mu,
    );
    assert.match(out, /What stays: the CRD and \d+ SampleDBs?, with databases and data/u);
    const ours =
      "clusterroles,clusterrolebindings,validatingadmissionpolicies,validatingadmissionpolicybindings";
    const webhooks = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
    const left = ["get", `${ours},${webhooks}`, "-l", "app.kubernetes.io/part-of=sampledb", "-o", "name"];
    assert.equal(await kubectl(left), "");
    assert.equal(
      await kubectl(["get", "namespace", SYSTEM_NAMESPACE, "--ignore-not-found", "-o", "name"]),
      "",
    );
    await assertUntouched();
    const { metadata } = await orders.get();
    assert.equal(metadata.deletionTimestamp, undefined);
    // What nobody looks after for now, the next installation finds.
    await orders.kubectl("delete", "service", "orders-headless");
    await waitUntil(() => orders.kubectl("label", "sdb", "orders", "tier=gold", "--overwrite"), {
      what: "a change without webhooks",
      timeoutMs: 300_000,
    });
  });

  it("goes on where the last one ended, with each function alone under its own account", async () => {
    await using folder = await userFolder(LOCAL_DEPLOYMENT);
    await command("deploy", ...IMAGE, "--write", folder.path, "--component", "each-function");
    await waitUntil(() => orders.kubectl("get", "service", "orders-headless"), {
      what: "the Service that was missing",
      timeoutMs: 300_000,
    });
    await assertUntouched();
    const deployments = await kubectl([
      "get",
      "deployments",
      ...IN,
      "-o",
      "jsonpath={.items[*].metadata.name}",
    ]);
    assert.deepEqual(deployments.split(" ").toSorted(), ["admission", ...FUNCTIONS, "source"].toSorted());
  });

  it("brings a SampleDB to Ready and takes it away again with each function alone, none refused anything", async () => {
    const alone = await database(cluster, "installed", "alone");
    await alone.apply({ deletion: { policy: "Wipe" } });
    await alone.untilReady();
    assert.equal(await alone.sql("SELECT 1"), "1");
    await alone.kubectl("delete", "sdb", "alone", "--timeout=300s");
    await untilOnly(cluster, alone, []);
    for (const name of FUNCTIONS) {
      const { used, forbidden } = await rightsUsed(cluster.auditLogFile, name);
      assert.ok(used.includes("get sampledbs"), `${name} was at work`);
      assert.deepEqual(forbidden, [], name);
    }
    assert.deepEqual(await errorLines(cluster), []);
  });

  it("goes back to one process, and nothing of the others is left", async () => {
    await using folder = await userFolder(LOCAL_DEPLOYMENT);
    await command("deploy", ...IMAGE, "--write", folder.path);
    const kinds = FUNCTIONS.flatMap((name) => [
      `deployment/${name}`,
      `service/${name}`,
      `serviceaccount/${name}`,
    ]);
    assert.equal(await kubectl(["get", ...IN, ...kinds, "--ignore-not-found", "-o", "name"]), "");
    await orders.untilReady();
    await assertUntouched();
  });
});
