import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { imagineNode } from "../../support/imagined-node.ts";
import { type PlainApi, plainApi } from "../../support/plain-api.ts";
import { type Costs, QuietScene, since } from "./quiet-scene.ts";
import { apply } from "./world.ts";

/**
 * Upper bounds, which functions/README.md tells. Events are more than one where controllers act too (a pod is replaced), and each may come
 * alone on a slow machine, with a pass of its own.
 */
const EDITS: readonly {
  readonly what: string;
  readonly most: Costs;
  readonly edit: readonly string[];
  /** What kubectl finds when it is carried out. */
  readonly done: { readonly kind: string; readonly path: string; readonly value: string };
}[] = [
  {
    what: "of spec.resources",
    most: { events: 8, passes: 8, reads: 96, writes: 5 },
    edit: [
      "patch",
      "sampledb",
      "orders",
      "--type=merge",
      "-p",
      '{"spec":{"resources":{"requests":{"memory":"300Mi"}}}}',
    ],
    done: {
      kind: "pod/orders-1-0",
      path: "{.spec.containers[0].resources.requests.memory}",
      value: "300Mi",
    },
  },
  {
    what: "of spec.deletion.policy",
    most: { events: 3, passes: 3, reads: 36, writes: 3 },
    edit: ["patch", "sampledb", "orders", "--type=merge", "-p", '{"spec":{"deletion":{"policy":"Wipe"}}}'],
    done: { kind: "sampledb/orders", path: "{.status.observedGeneration}", value: "3" },
  },
  {
    what: "that deletes the Service by hand",
    most: { events: 3, passes: 3, reads: 36, writes: 1 },
    edit: ["delete", "service", "orders"],
    done: { kind: "service/orders", path: "{.metadata.name}", value: "orders" },
  },
  {
    what: "of an annotation",
    most: { events: 1, passes: 1, reads: 12, writes: 0 },
    edit: ["annotate", "sampledb", "orders", "example.com/ticket=42"],
    done: { kind: "sampledb/orders", path: "{.metadata.annotations.example\\.com/ticket}", value: "42" },
  },
];

describe("what the functions ask of the API server", () => {
  let scene: QuietScene;
  let api: PlainApi;
  let node: Disposable;
  const conditions = (): Promise<string> =>
    scene.cluster.kubectl([
      "get",
      "sampledb",
      "orders",
      "-o",
      'jsonpath={.metadata.generation}/{.status.conditions[?(@.type=="Ready")].observedGeneration} {.status.conditions[?(@.type=="Ready")].status}',
    ]);
  const untilReady = (): Promise<true> =>
    waitUntil<true>(
      async () => {
        const [, generation, observed] = /^(\d+)\/(\d+) True$/u.exec(await conditions()) ?? [];
        return (generation !== undefined && generation === observed) || undefined;
      },
      { what: "orders to be Ready", timeoutMs: 300_000, everyMs: 200 },
    );

  before(async () => {
    scene = await QuietScene.start();
    api = await plainApi(scene.cluster.kubeconfig, 2);
    node = await imagineNode(api, "default", 100);
  });
  after(async () => {
    node[Symbol.dispose]();
    api.close();
    await scene.stop();
  });

  it("is at most 12 reads a pass for a new SampleDB, and no more writes than there are things to say", async () => {
    const earlier = await scene.untilIdle();
    await apply(scene.cluster, "orders");
    await untilReady();
    const { events, passes, reads, writes } = since(earlier, await scene.untilIdle());
    assert.ok(reads <= 12 * passes, `${reads} reads in ${passes} passes`);
    assert.ok(
      passes <= events,
      `${passes} passes for ${events} events: none is made twice because of a conflict`,
    );
    // Two Secrets, claim, ConfigMap twice, two Services, PodDisruptionBudget, StatefulSet, Job twice, claim twice more, volume, finalizer;
    // the status and an event for each stage, of which one machine sees more than another.
    assert.ok(writes >= 15 && writes <= 30, `${writes} writes`);
  });

  it("is ten reads and no write of what is as it should be: one list a kind by label, the SampleDB and its volume", async () => {
    const earlier = await scene.untilIdle();
    const path = "/apis/sampledb.dev/v1/namespaces/default/sampledbs/orders";
    await api.call("PATCH", path, { metadata: { annotations: { "example.com/a": "b" } } });
    const cost = since(earlier, await scene.untilIdle());
    assert.deepEqual(cost, { events: 1, passes: 1, reads: 10, writes: 0 });
  });

  for (const { what, most, edit, done } of EDITS) {
    it(`is at most ${most.reads} reads and ${most.writes} writes in ${most.passes} passes for an edit ${what}`, async (t) => {
      const earlier = await scene.untilIdle();
      await scene.cluster.kubectl(edit);
      await waitUntil<true>(
        async () => {
          const value = await scene.cluster.kubectl(["get", done.kind, "-o", `jsonpath=${done.path}`]);
          return value === done.value || undefined;
        },
        { what: `the edit ${what}`, timeoutMs: 300_000 },
      );
      await untilReady();
      const cost = since(earlier, await scene.untilIdle());
      t.diagnostic(JSON.stringify(cost));
      assert.ok(cost.events >= 1 && cost.passes >= 1);
      for (const each of ["events", "passes", "reads", "writes"] as const) {
        assert.ok(cost[each] <= most[each], `${each}: ${cost[each]}, at most ${most[each]}`);
      }
    });
  }
});
