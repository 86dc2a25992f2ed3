import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PolicyScene } from "./scene.ts";

describe("a namespace that holds a protected SampleDB", () => {
  let scene: PolicyScene;
  const remove = (namespace: string): Promise<string> =>
    scene.cluster.kubectl(["delete", "namespace", namespace, "--timeout=120s"]);
  before(async () => {
    scene = await PolicyScene.start("components/protected-namespaces/policy.yaml");
    await scene.sampledb("shop", "orders");
    await scene.sampledb("shop", "guarded", true);
    await scene.sampledb("other", "orders", false);
    await scene.untilTried(true, "delete", "namespace", "shop");
  });
  after(() => scene.stop());

  it("is not deleted, and the refusal names the SampleDB", async () => {
    const { text } = await scene.say("delete", "namespace", "shop");
    assert.match(text, /namespace shop holds SampleDB guarded, which is protected/u);
    assert.deepEqual(await scene.living("shop"), ["guarded", "orders"]);
  });

  it("hinders no other namespace: with SampleDBs that are not protected, or with none", async () => {
    await scene.cluster.kubectl(["create", "namespace", "empty"]);
    await remove("empty");
    await remove("other");
  });

  it("is deleted after the command that the refusal recommends", async () => {
    await scene.obey((await scene.say("delete", "namespace", "shop")).text);
    await scene.untilTried(false, "delete", "namespace", "shop");
    await remove("shop");
  });

  it("is nothing that a cluster without the SampleDB kind could be locked by", async () => {
    await scene.cluster.kubectl(["create", "namespace", "later"]);
    await scene.cluster.kubectl(["delete", "crd", "sampledbs.sampledb.dev", "--timeout=120s"]);
    await remove("later");
  });
});
