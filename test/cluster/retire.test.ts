import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { planRetire } from "../../functions/retire/plan-retire.ts";
import { retire } from "../../functions/retire/retire.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import type { Key } from "../../functions/shared/api/key.ts";
import { Fault } from "../../functions/shared/kube/fault.ts";
import { PassScene } from "./pass-scene.ts";

const KEPT = ["persistentvolumeclaim/orders-1-1", "secret/orders", "secret/orders-superuser"];

describe("retire on a real API server", () => {
  let scene: PassScene;
  before(async () => {
    scene = await PassScene.start();
  });
  after(() => scene.stop());

  const running = (namespace: string, policy: string): Promise<Key> =>
    scene.runningOrders(namespace, { deletion: { policy } });

  const deleteOrders = ({ namespace, name }: Key, propagation = "background"): Promise<string> =>
    scene.kubectl(["delete", "sdb", name, "-n", namespace, `--cascade=${propagation}`, "--wait=false"]);

  const untilGone = (key: Key): Promise<true> =>
    scene.until(key, "the SampleDB to be gone", async () =>
      (await scene.port().sampledb(key)) === undefined ? true : undefined,
    );

  for (const propagation of ["background", "foreground", "orphan"]) {
    it(`Retain keeps claim, Secrets and volume, and nothing else: ${propagation}`, async () => {
      const key = await running(`retain-${propagation}`, "Retain");
      await deleteOrders(key, propagation);
      await untilGone(key);
      assert.deepEqual(await scene.childrenOf(key), KEPT);
      assert.equal(await scene.reclaimPolicyOf(`pv-${key.namespace}`), "Retain");
      const retained = await scene.kubectl([
        "get",
        "pvc,secrets",
        "-n",
        key.namespace,
        "-l",
        "sampledb.dev/retained=true",
        "-o",
        "name",
      ]);
      assert.deepEqual(retained.trim().split("\n").toSorted(), KEPT);
    });

    it(`Wipe leaves nothing, the volume included: ${propagation}`, async () => {
      const key = await running(`wipe-${propagation}`, "Wipe");
      await deleteOrders(key, propagation);
      await untilGone(key);
      assert.deepEqual(await scene.childrenOf(key), []);
      await scene.until(key, "the volume to be gone", async () =>
        (await scene.reclaimPolicyOf(`pv-${key.namespace}`)) === undefined ? true : undefined,
      );
    });
  }

  it("ends pods that an orphan deletion of the StatefulSet left", async () => {
    const key = await running("orphaned-pod", "Wipe");
    // Paused, or provision would make the StatefulSet again, which takes its pod back.
    await scene.applyOrders(key.namespace, { deletion: { policy: "Wipe" }, paused: true });
    await scene.kubectl(["delete", "sts", "orders-1", "-n", key.namespace, "--cascade=orphan"]);
    assert.ok((await scene.childrenOf(key)).includes("pod/orders-1-0"));
    await deleteOrders(key);
    await untilGone(key);
    assert.deepEqual(await scene.childrenOf(key), []);
  });

  it("leaves nothing of a SampleDB that is deleted as soon as it is made", async () => {
    const key = await scene.orders("at-once");
    await scene.pass(key);
    await deleteOrders(key);
    await untilGone(key);
    await scene.pass(key);
    assert.deepEqual(await scene.childrenOf(key), []);
  });

  it("hands what Retain kept to the next SampleDB of that name, and a late step of the old deletion takes nothing from it", async () => {
    const key = await running("namesake", "Retain");
    await deleteOrders(key);
    const late = await scene.port().observe(key, new Set(retire.reads));
    await untilGone(key);
    const claimUid = ["get", "pvc", "orders-1-1", "-n", key.namespace, "-o", "jsonpath={.metadata.uid}"];
    const uid = await scene.kubectl(claimUid);
    await scene.applyOrders(key.namespace);
    await scene.until(key, "the adoption", async () =>
      (await scene.childrenOf(key)).includes("pod/orders-1-0") ? true : undefined,
    );
    const children = await scene.childrenOf(key);
    for (const action of planRetire(late, { catalog: BUILT_IN_CATALOG })) {
      await assert.rejects(
        scene.port().carryOut(action, "sampledb-retire"),
        (fault) => fault instanceof Fault && fault.sort === "conflict",
      );
    }
    assert.deepEqual(await scene.childrenOf(key), children);
    assert.equal(await scene.kubectl(claimUid), uid);
    await scene.untilReason(key, "Provisioned", "Provisioned", /adopted existing volume/u);
  });

  it("ends alike when several passes race", async () => {
    const key = await running("raced", "Wipe");
    await deleteOrders(key);
    await scene.until(key, "the SampleDB to be gone", async () => {
      await Promise.all([scene.pass(key), scene.pass(key), scene.pass(key)]);
      return (await scene.port().sampledb(key)) === undefined ? true : undefined;
    });
    assert.deepEqual(await scene.childrenOf(key), []);
  });

  const deleteNamespace = async (key: Key): Promise<void> => {
    await scene.kubectl(["delete", "namespace", key.namespace, "--wait=false"]);
    await scene.until(key, "the namespace to be gone", async () => {
      const found = await scene.kubectl(["get", "namespace", key.namespace, "--ignore-not-found"]);
      return found === "" ? true : undefined;
    });
  };

  it("lets its namespace end, whose claims go anyway, and Retain keeps the volume", async () => {
    const key = await running("ending-retain", "Retain");
    await deleteNamespace(key);
    assert.equal(await scene.reclaimPolicyOf(`pv-${key.namespace}`), "Retain");
  });

  it("lets its namespace end under Wipe too", async () => {
    await deleteNamespace(await running("ending-wipe", "Wipe"));
  });

  it("leaves the SampleDB to those who hold it too, and to them alone", async () => {
    const key = await running("held", "Wipe");
    const theirs = "shop.example.com/audit";
    const finalizers = (change: readonly string[]): Promise<string> =>
      scene.kubectl([
        "patch",
        "sdb",
        "orders",
        "-n",
        key.namespace,
        "--type=merge",
        "-p",
        JSON.stringify({ metadata: { finalizers: change } }),
      ]);
    await finalizers([theirs, "sampledb.dev/retire"]);
    await deleteOrders(key);
    await scene.until(key, "our finalizer to be gone", async () => {
      const found = (await scene.port().sampledb(key))?.metadata.finalizers ?? [];
      return found.join() === theirs ? true : undefined;
    });
    await scene.untilReason(key, "Ready", "Deleting", /finalizer shop.example.com\/audit/u);
    assert.deepEqual(await scene.pass(key), []);
    await finalizers([]);
    await untilGone(key);
  });

  // The last: the kind is not there any more afterwards.
  it("ends by its policy where the whole kind is deleted, while the functions are there", async () => {
    const key = await running("kindless", "Wipe");
    await scene.kubectl(["delete", "crd", "sampledbs.sampledb.dev", "--wait=false"]);
    await untilGone(key);
    assert.deepEqual(await scene.childrenOf(key), []);
    const kept = await scene.kubectl(["get", "pvc", "-n", "retain-background", "-o", "name"]);
    assert.equal(kept, "persistentvolumeclaim/orders-1-1\n");
  });
});
