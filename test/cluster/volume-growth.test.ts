import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Key } from "../../functions/shared/api/key.ts";
import { PassScene } from "./pass-scene.ts";

const storageClass = (name: string, allowVolumeExpansion: boolean) => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name },
  provisioner: "example.com/none",
  allowVolumeExpansion,
});

const sized = (size: string, storageClassName: string) => ({ storage: { size, storageClassName } });

describe("a volume that grows, on a real API server", () => {
  let scene: PassScene;
  before(async () => {
    scene = await PassScene.start();
    await scene.apply(storageClass("grows", true), storageClass("stays", false));
  });
  after(() => scene.stop());

  const claim = ({ namespace }: Key, path: string): Promise<string> =>
    scene.kubectl(["get", "pvc", "orders-1-1", "-n", namespace, "-o", `jsonpath={${path}}`]);
  const requested = (key: Key): Promise<string> => claim(key, ".spec.resources.requests.storage");
  /** Plays the driver. */
  const claimStatus = async ({ namespace }: Key, status: object): Promise<void> => {
    const patch = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
    await scene.kubectl(["patch", "pvc", "orders-1-1", "-n", namespace, ...patch]);
  };

  it("is asked for once, told while it takes its time, and done", async () => {
    const key = await scene.runningOrders("grows", sized("1Gi", "grows"));
    await scene.applyOrders(key.namespace, sized("2Gi", "grows"));
    await scene.until(key, "the larger claim", async () => (await requested(key)) === "2Gi" || undefined);
    const status = (await scene.port().sampledb(key))?.status?.storage;
    assert.deepEqual(status, { claim: "orders-1-1", capacity: "1Gi", storageClassName: "grows" });
    await claimStatus(key, { capacity: { storage: "2Gi" } });
    await scene.until(key, "its new capacity in status", async () =>
      (await scene.port().sampledb(key))?.status?.storage?.capacity === "2Gi" ? true : undefined,
    );
    assert.deepEqual(await scene.pass(key), []);
  });

  it("that its class does not allow is refused by the API server, told, and nothing else is held up", async () => {
    const key = await scene.runningOrders("stays", sized("1Gi", "stays"));
    await scene.kubectl(["delete", "service", "orders", "-n", key.namespace]);
    await scene.applyOrders(key.namespace, { ...sized("2Gi", "stays"), deletion: { policy: "Wipe" } });
    const children = await scene.until(key, "the Service again", async () => {
      const found = await scene.childrenOf(key);
      return found.includes("service/orders") ? found : undefined;
    });
    assert.ok(children.includes("persistentvolumeclaim/orders-1-1"));
    assert.equal(await requested(key), "1Gi");
    // There is no node, so the database itself is what is waited for; the refused growth is no reason for that.
    const { message } = await scene.untilReason(key, "Ready", "WaitingForDatabase");
    assert.doesNotMatch(message, /PersistentVolumeClaim/u);
  });

  it("is asked for once its class allows it", async () => {
    const key = { namespace: "stays", name: "orders" };
    await scene.kubectl(["patch", "sc", "stays", "--type=merge", "-p", '{"allowVolumeExpansion":true}']);
    await scene.until(key, "the larger claim", async () => (await requested(key)) === "2Gi" || undefined);
  });
});
