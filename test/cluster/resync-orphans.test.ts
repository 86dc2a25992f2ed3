import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { report } from "../../functions/report/report.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import type { Key } from "../../functions/shared/api/key.ts";
import { keyText } from "../../functions/shared/api/key.ts";
import type { Cluster } from "../../functions/shared/kube/cluster.ts";
import { pass } from "../../functions/shared/kube/pass.ts";
import type { PassOutcome } from "../../functions/shared/kube/pass.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { startFunction } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";
import { PassScene } from "./pass-scene.ts";

describe("orphans on a real API server, with source, resync and reconcile", () => {
  let scene: PassScene;
  let reconcile: FunctionProcess;
  let source: FunctionProcess;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    scene = await PassScene.start();
    const { kubeconfig } = scene.cluster;
    reconcile = startFunction("reconcile", { KUBECONFIG: kubeconfig });
    env = { KUBECONFIG: kubeconfig, SINK: await reconcile.url() };
    source = startFunction("source", env);
    await source.url();
  });
  after(async () => {
    await source[Symbol.asyncDispose]();
    await reconcile[Symbol.asyncDispose]();
    await scene.stop();
  });

  const inNamespace = ({ namespace }: Key, ...args: readonly string[]): Promise<string> =>
    scene.kubectl([...args, "-n", namespace]);

  /** Each Orphaned Event as the object that it is on and its uid, sorted. */
  const told = async (key: Key): Promise<readonly string[]> => {
    const about = "{.involvedObject.kind}/{.involvedObject.name} {.involvedObject.uid} {.type}";
    const path = `jsonpath={range .items[*]}${about}{'\\n'}{end}`;
    const text = await inNamespace(key, "get", "events", "--field-selector=reason=Orphaned", "-o", path);
    return text.split("\n").filter(Boolean).toSorted();
  };

  const tick = async (key: Key): Promise<void> => {
    await using resync = startFunction("resync", env, ["once", key.namespace]);
    assert.equal(await resync.ended, 0, JSON.stringify(resync.logs));
  };

  const isGone = async (key: Key): Promise<true | undefined> =>
    (await scene.port().sampledb(key)) === undefined ? true : undefined;

  const deleteOrders = (key: Key): Promise<string> =>
    inNamespace(key, "delete", "sdb", key.name, "--wait=false");

  const removeFinalizer = async (key: Key): Promise<void> => {
    await deleteOrders(key);
    const patch = ["--type=merge", "-p", JSON.stringify({ metadata: { finalizers: [] } })];
    await inNamespace(key, "patch", "sdb", key.name, ...patch);
  };

  for (const policy of ["Wipe", "Retain"]) {
    it(`a deletion by ${policy} leaves none, and at no moment of it one is told of`, async () => {
      const key = await scene.runningOrders(`no-orphan-${policy.toLowerCase()}`, { deletion: { policy } });
      await deleteOrders(key);
      await waitUntil(
        async () => {
          // Beside source's events: late, doubled and early ones.
          await Promise.all([scene.pass(key), scene.pass(key)]);
          return isGone(key);
        },
        { what: "the SampleDB to be gone", timeoutMs: 300_000, everyMs: 1 },
      );
      await scene.pass(key);
      await tick(key);
      assert.deepEqual(await told(key), []);
    });
  }

  it("each is told of once: what a finalizer removed by hand left, by the next tick at the latest; a second one writes nothing", async () => {
    const key = await scene.orders("by-hand");
    await scene.until(key, "every child", async () =>
      (await scene.childrenOf(key)).some((child) => child.startsWith("statefulset")) ? true : undefined,
    );
    const uids = await inNamespace(
      key,
      "get",
      "sts,pvc,secrets",
      "-l",
      "sampledb.dev/database=orders",
      "-o",
      "jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid} Warning{'\\n'}{end}",
    );
    const left = uids.split("\n").filter(Boolean).toSorted();
    // Without it nobody notices the deletion but the tick.
    source.kill("SIGKILL");
    await source.ended;
    await removeFinalizer(key);
    await waitUntil(() => isGone(key), { what: "the SampleDB to be gone", timeoutMs: 300_000 });
    await tick(key);
    assert.equal(left.length, 4, left.join());
    assert.deepEqual(await told(key), left);

    assert.deepEqual(await scene.pass(key), []);
    await tick(key);
    assert.deepEqual(await told(key), left);
    const message = await inNamespace(
      key,
      "get",
      "events",
      "--field-selector=reason=Orphaned,involvedObject.kind=PersistentVolumeClaim",
      "-o",
      "jsonpath={.items[0].message}",
    );
    // What it tells to do works.
    const command = /kubectl (?<args>delete persistentvolumeclaim orders-1-1 -n by-hand)\./u.exec(message);
    await scene.kubectl([...(command?.groups?.["args"] ?? "").split(" "), "--wait=false"]);
    await scene.applyOrders(key.namespace);
    await scene.until(key, "its adoption", async () => {
      const annotation = "jsonpath={.metadata.annotations['sampledb\\.dev/owner-uid']}";
      const owner = await inNamespace(key, "get", "sts", "orders-1", "-o", annotation);
      return owner === (await scene.port().sampledb(key))?.metadata.uid ? true : undefined;
    });
  });

  /** One pass of report alone on a cluster in which something happens right after it was observed. */
  const passWith = (key: Key, afterObserving: () => Promise<unknown>): Promise<PassOutcome> => {
    const port = scene.port();
    const clusterUntil = (): Cluster => ({
      ...port,
      observe: async (...asked) => {
        const observed = await port.observe(...asked);
        await afterObserving();
        return observed;
      },
    });
    const functions = [report];
    return pass({ clusterUntil, functions, catalog: () => BUILT_IN_CATALOG, tell: () => undefined }, key);
  };

  const orphanIn = async (namespace: string): Promise<Key> => {
    await scene.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const marks = {
      labels: { "sampledb.dev/database": "orders" },
      annotations: { "sampledb.dev/owner-uid": "uid-of-one-that-is-gone" },
    };
    await scene.apply({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "orders", namespace, ...marks },
    });
    return { namespace, name: "orders" };
  };

  it("none is told of where the SampleDB is created at that moment", async () => {
    const key = await orphanIn("created-meanwhile");
    assert.equal(await passWith(key, () => scene.applyOrders(key.namespace)), "abandoned", keyText(key));
    assert.deepEqual(await told(key), []);
  });

  it("none is told of in a namespace that is being deleted: the refusal ends nothing but report's part", async () => {
    const key = await orphanIn("ending");
    const remove = ["delete", "namespace", key.namespace, "--wait=false"];
    assert.equal(await passWith(key, () => scene.kubectl(remove)), "settled");
    const gone = await scene.kubectl(["get", "namespace", key.namespace, "--ignore-not-found"]);
    if (gone !== "") assert.deepEqual(await told(key), []);
  });
});
