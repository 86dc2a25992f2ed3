import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PolicyScene } from "./scene.ts";

describe("a namespace that holds a protected SampleDB", () => {
  let scene: PolicyScene;
  const remove = (namespace: string): Promise<string> =>
    scene.cluster.kubectl(["delete", "namespace", namespace, "--wait=false"]);
  /** How often the API server evaluated the policy so far, by what came of it. */
  const checks = async (): Promise<readonly string[]> => {
    const text = await scene.cluster.kubectl(["get", "--raw", "/metrics"]);
    return text
      .split("\n")
      .filter((line) => line.startsWith("apiserver_validating_admission_policy_check_total"));
  };
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
    assert.match(
      text,
      /Namespace shop: SampleDB guarded: spec\.deletion\.protection: true: it is protected/u,
    );
    assert.deepEqual(await scene.living("shop"), ["guarded", "orders"]);
  });

  it("hinders no other namespace: with SampleDBs that are not protected, or with none", async () => {
    await scene.cluster.kubectl(["create", "namespace", "empty"]);
    await remove("empty");
    await remove("other");
  });

  it("is nothing that others' writes are compared with", async () => {
    const earlier = await checks();
    await scene.cluster.kubectl(["create", "namespace", "sweep"]);
    for (const namespace of ["sweep", "shop", "kube-system"]) {
      await scene.cluster.kubectl(["label", "namespace", namespace, "swept=true"]);
      await scene.cluster.kubectl(["create", "configmap", "sweep", "-n", namespace]);
      await scene.cluster.kubectl(["delete", "configmap", "sweep", "-n", namespace]);
    }
    assert.notDeepEqual(earlier, []);
    assert.deepEqual(await checks(), earlier);
    // Kubernetes itself protects this one; nobody else is in the way of anything that it may ask.
    assert.doesNotMatch((await scene.say("delete", "namespace", "kube-system")).text, /sampledb-protected/u);
  });

  it("is let go on where it is being deleted already", async () => {
    await scene.sampledb("ending", "orders");
    const patch = (body: string): Promise<string> =>
      scene.cluster.kubectl(["patch", "sdb", "orders", "-n", "ending", "--type=merge", "-p", body]);
    await patch('{"metadata":{"finalizers":["example.com/audit"]}}');
    await remove("ending");
    await patch('{"spec":{"deletion":{"protection":true}}}');
    // What is written later is seen later: so the protection of "orders" is known by then.
    await scene.sampledb("witness", "guarded", true);
    await scene.untilTried(true, "delete", "namespace", "witness");
    await remove("ending");
    await patch('{"metadata":{"finalizers":null}}');
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

  it("keeps no namespace from its end that was let go", async () => {
    const names = ["empty", "other", "ending", "shop", "later"];
    const wait = ["--for=delete", "--timeout=300s"];
    await scene.cluster.kubectl(["wait", ...wait, ...names.map((name) => `namespace/${name}`)]);
  });
});
