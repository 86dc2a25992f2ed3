import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Event } from "../../../functions/shared/kube/kinds.ts";
import { accountKubeconfig } from "../../support/account-kubeconfig.ts";
import { startCluster } from "../../support/cluster/index.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { deadLetter } from "../../support/dead-letter.ts";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { startFunction } from "../../support/function-process.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { installKnativeCrds } from "../../support/knative/knative-crds.ts";
import { apiServerSources } from "../../support/knative/knative-objects.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { grantedBy } from "../../support/kustomize/granted-by.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import { rightsUsed } from "../../support/kustomize/rights-used.ts";

const SYSTEM = "sampledb-system";
const OVERLAY = "overlays/knative";
const RIGHTS = "overlays/knative/components/broker/rights.yaml";
const ORDERS = {
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name: "orders", namespace: "shop" },
  spec: { version: "17" },
};

const ABOUT_ORDERS = { kind: "SampleDB", name: "orders" };

describe("functions behind a Broker, on a real API server with Knative's schemas", () => {
  let cluster: LocalCluster;
  let folder = "";
  let fns: readonly FunctionProcess[] = [];
  let text = "";
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const apply = (what: string, ...more: string[]): Promise<string> =>
    kubectl(["apply", "--validate=strict", ...more, "-f", "-"], what);

  const createOrders = (): Promise<string> => apply(JSON.stringify(ORDERS));

  before(async () => {
    cluster = await startCluster({ level: "api" });
    await installCrds(kubectl);
    await installKnativeCrds(kubectl);
    for (const namespace of ["kourier-system", "shop"]) await kubectl(["create", "namespace", namespace]);
    text = await renderComponents(kubectl, OVERLAY, ["broker"]);
    folder = await mkdtemp(join(tmpdir(), "sampledb-undelivered-"));
  });
  after(async () => {
    for (const fn of fns) await fn[Symbol.asyncDispose]();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  const post = async (nth: number, ...letter: Parameters<typeof deadLetter>): Promise<number> => {
    const { headers, body } = deadLetter(...letter);
    const url = (await fns[nth]?.url()) ?? "";
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const told = async (): Promise<readonly Event[]> => {
    const events = ["get", "events", "-n", "shop", "--field-selector=reason=EventUndelivered", "-o", "json"];
    const { items }: { readonly items: readonly Event[] } = JSON.parse(await kubectl(events));
    return items;
  };
  const version = (): Promise<string> =>
    kubectl(["get", "sampledb", "orders", "-n", "shop", "-o", "jsonpath={.metadata.resourceVersion}"]);

  it("are accepted whole, without a warning, and with Kafka's Broker too", async () => {
    const answer = await apply(text);
    assert.equal(answer.trim().split("\n").length, objectsIn(text).length);
    assert.doesNotMatch(answer, /Warning/u);
    const kafka = objectsIn(await renderComponents(kubectl, OVERLAY, ["kafka-broker"]));
    const broker = JSON.stringify(kafka.find(({ kind }) => kind === "Broker"));
    assert.match(
      await apply(broker, "--dry-run=server"),
      /broker\.eventing\.knative\.dev\/sampledb configured/u,
    );
    const misspelt = broker.replace('"config":', '"configuration":');
    await assert.rejects(apply(misspelt, "--dry-run=server"), /configuration/u);
  });

  it("have a letter told once on the SampleDB, doubled or not, by whichever of two processes, and change nothing else", async () => {
    await kubectl(["delete", "validatingadmissionpolicybinding", "sampledb-install"]);
    await waitUntil(createOrders, { what: "the end of the install policy", timeoutMs: 300_000 });
    const as = `--as=system:serviceaccount:${SYSTEM}:undelivered`;
    const may = (): Promise<string> => kubectl(["auth", "can-i", "create", "events", "-n", "shop", as]);
    await waitUntil(may, { what: "the rights of undelivered", timeoutMs: 300_000 });
    const KUBECONFIG = join(folder, "kubeconfig");
    await writeFile(KUBECONFIG, await accountKubeconfig(kubectl, "undelivered", SYSTEM));
    fns = [startFunction("undelivered", { KUBECONFIG }), startFunction("undelivered", { KUBECONFIG })];
    await Promise.all(fns.map((fn) => fn.url()));
    const untouched = await version();
    const both = await Promise.all([0, 1, 0, 1].map((nth) => post(nth, ABOUT_ORDERS)));
    assert.deepEqual(both, [204, 204, 204, 204]);
    assert.equal(await post(0, { kind: "Secret", name: "orders-superuser" }), 204);
    const [event, ...others] = await told();
    assert.deepEqual(others, []);
    assert.match(event?.message ?? "", /provision answered 503/u);
    assert.equal(await version(), untouched);
    // As people see it.
    const described = await kubectl(["describe", "sampledb", "orders", "-n", "shop"]);
    assert.match(described, /Warning +EventUndelivered .* sampledb-undelivered /u);
    // No source tells of Events, so that none leads to another letter.
    const watched = apiServerSources(objectsIn(text)).flatMap(({ spec }) => spec.resources);
    assert.ok(!watched.some(({ kind }) => kind === "Event"));
  });

  it("have a letter of a SampleDB that is gone, or in a namespace that is not there, taken and forgotten", async () => {
    assert.equal(await post(0, { kind: "SampleDB", name: "gone" }), 204);
    assert.equal(await post(1, ABOUT_ORDERS, { "ce-namespace": "nowhere" }), 204);
    assert.equal((await told()).length, 1);
  });

  it("refuse undelivered nothing, and grant it nothing that it does not use", async () => {
    const { used, forbidden } = await rightsUsed(cluster.auditLogFile, "undelivered");
    assert.deepEqual(forbidden, []);
    assert.deepEqual(used, grantedBy("undelivered", RIGHTS));
  });
});
