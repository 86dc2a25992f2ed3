import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import type { Action } from "../../functions/shared/kube/action.ts";
import { Fault } from "../../functions/shared/kube/fault.ts";
import type { ReconcileFunction } from "../../functions/shared/kube/reconcile-function.ts";
import { functionApp } from "../../functions/shared/serve/function-app.ts";
import { listen } from "../../functions/shared/serve/listen.ts";
import type { Listening } from "../../functions/shared/serve/listen.ts";
import { metrics } from "../../functions/shared/serve/metrics.ts";
import { passNotes } from "../../functions/shared/serve/pass-notes.ts";
import { reconcileWorks } from "../../functions/shared/serve/reconcile-works.ts";
import { fakeCluster } from "../support/fake-cluster.ts";
import type { FakeCluster } from "../support/fake-cluster.ts";

const create: Action = {
  do: "create",
  object: { apiVersion: "v1", kind: "Service", metadata: { name: "orders", namespace: "shop" } },
};
const plans = (name: string): ReconcileFunction => ({ name, reads: [], plan: () => [create] });

const ce = {
  "ce-id": "1",
  "ce-specversion": "1.0",
  "ce-type": "dev.sampledb.source.changed",
  "ce-source": "/sampledb.dev",
};
const orders = { ...ce, "ce-kind": "SampleDB", "ce-namespace": "shop", "ce-name": "orders" };

// What goes over the wire is tried in events/, on real processes.
describe("a reconcile server", () => {
  let server: Listening;
  let cluster: FakeCluster = fakeCluster({});
  let isReady = true;
  const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
  const post = (headers: Record<string, string>, body: string | null = null, path = "/"): Promise<Response> =>
    fetch(at(path), { method: "POST", headers, body });

  before(async () => {
    const counted = metrics();
    const works = reconcileWorks({
      clusterUntil: () => cluster,
      functions: [plans("provision"), plans("report")],
      catalog: () => BUILT_IN_CATALOG,
      tell: passNotes(counted),
    });
    const app = functionApp({ works, isReady: () => isReady, metrics: counted });
    server = await listen(createServer(app), 0);
  });
  after(async () => {
    await server.close();
  });

  it("carries out every function of a group at /, one at /<name>", async () => {
    cluster = fakeCluster({});
    await post(orders);
    // On a slow machine each asks whether it is still wanted.
    const writes = cluster.calls.filter((call) => call.startsWith("sampledb-"));
    assert.deepEqual(writes, ["sampledb-provision create Service", "sampledb-report create Service"]);
    cluster = fakeCluster({});
    await post(orders, null, "/report");
    assert.deepEqual(cluster.calls, ["observe", "sampledb", "sampledb-report create Service"]);
  });

  const faults = [
    { fault: new Fault("unavailable", "no answer in time"), want: 503 },
    { fault: new Fault("conflict", "changed", { code: 409 }), want: 204 },
    { fault: new Fault("refused", "forbidden", { code: 403 }), want: 204 },
    { fault: new Error("a bug"), want: 204 },
  ];
  for (const { fault, want } of faults) {
    it(`answers ${want} when reading ends with ${fault instanceof Fault ? fault.sort : "a bug"}`, async () => {
      cluster = fakeCluster({
        observe: () => {
          throw fault;
        },
      });
      const response = await post(orders);
      assert.equal(response.status, want);
      assert.equal(await response.text(), "");
    });
  }

  it("tells health, readiness and metrics", async () => {
    await post(orders);
    await post({ "content-type": "application/json" }, "{}");
    assert.equal((await fetch(at("/healthz"))).status, 200);
    for (const method of ["GET", "OPTIONS"])
      for (const [ready, want] of [
        [true, 200],
        [false, 503],
      ] as const) {
        isReady = ready;
        assert.equal((await fetch(at("/readyz"), { method })).status, want, method);
      }
    isReady = true;
    const page = await fetch(at("/metrics"));
    assert.match(page.headers.get("content-type") ?? "", /^text\/plain; version=/u);
    const text = await page.text();
    assert.match(text, /sampledb_writes_total\{function="report",action="create",kind="Service"\} \d/u);
    assert.match(text, /sampledb_event_duration_seconds_count\{function="[^"]+",outcome="malformed"\} \d/u);
  });
});
