import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { FINALIZER } from "../../functions/shared/api/markers.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { startFunction } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";
import { cronTick } from "../support/openfaas/cron-connector.ts";
import { until } from "../support/until.ts";
import { startOpenFaas } from "../contract/openfaas-scene.ts";
import type { OpenFaas } from "../contract/openfaas-scene.ts";
import { allChildren, apply, childrenOf, clusterWithCrd, untilConverged } from "./event-path/world.ts";

describe("OpenFaaS' synchronous path, on a real API server", () => {
  let cluster: LocalCluster;
  let openFaas: OpenFaas;
  let reconcile: FunctionProcess;
  const resyncUrl = Promise.withResolvers<string>();
  const env = (): Record<string, string> => ({ KUBECONFIG: cluster.kubeconfig });
  const sink = (name: string): Record<string, string> => ({ SINK: openFaas.at(name).href });
  const statuses = (): ReadonlySet<number> => new Set(openFaas.gateway.calls.map(({ status }) => status));

  before(async () => {
    cluster = await clusterWithCrd();
    reconcile = startFunction("reconcile", { ...env(), ON_SIGTERM: "ignore" });
    openFaas = await startOpenFaas({
      "sampledb-reconcile": { upstream: () => reconcile.url() },
      full: { upstream: () => reconcile.url(), maxInflight: 1 },
      "sampledb-resync": { upstream: () => resyncUrl.promise },
    });
  });
  after(async () => {
    await openFaas[Symbol.asyncDispose]();
    await reconcile[Symbol.asyncDispose]();
    await cluster.stop();
  });
  it("converges though functions are full, die, and the gateway drops its calls: source tries again", async () => {
    const names = Array.from({ length: 4 }, (_, nth) => `many-${nth}`);
    // Before source begins, so that all are told at once.
    for (const name of names) await apply(cluster, name);
    await using source = startFunction("source", { ...env(), ...sink("full") });
    await until("a call that was refused", () => statuses().has(429));
    openFaas.gateway.cut();
    // As a pod that dies: its watchdog answers 500 until there is another.
    reconcile.kill("SIGKILL");
    await reconcile.ended;
    names.push("late");
    await apply(cluster, "late");
    await until("a call that nobody answered", () => statuses().has(500));
    reconcile = startFunction("reconcile", env());
    for (const name of names) await untilConverged(cluster, name);
    assert.equal(source.stderr(), "");
  });

  it("is repaired by one tick of cron-connector, of which the function has a sweep made", async () => {
    await apply(cluster, "untold");
    // By admission, which is not here. Without it a pass does no more than that.
    const finalizers = { metadata: { finalizers: [FINALIZER] } };
    await cluster.kubectl(["patch", "sampledb", "untold", "--type=merge", "-p", JSON.stringify(finalizers)]);
    await using resync = startFunction("resync", { ...env(), ...sink("sampledb-reconcile") });
    resyncUrl.resolve(await resync.url());
    assert.deepEqual(await childrenOf(cluster, "untold"), []);
    const { method, headers } = cronTick();
    const answer = await fetch(openFaas.at("sampledb-resync.openfaas-fn"), {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    });
    assert.equal(answer.status, 204);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/u);
    await untilConverged(cluster, "untold");
    assert.deepEqual(await childrenOf(cluster, "untold"), allChildren("untold"));
  });
});
