import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PolicyScene } from "./scene.ts";

const SAYS =
  /SampleDB shop\/guarded: spec\.deletion\.protection: true: it is protected from deletion; set it to false/u;

describe("a protected SampleDB, with no function awake", () => {
  let scene: PolicyScene;
  before(async () => {
    scene = await PolicyScene.start("base/policies/deletion-protection.yaml");
    await scene.sampledb("shop", "guarded", true);
    await scene.untilTried(true, "delete", "sdb", "guarded", "-n", "shop");
  });
  after(() => scene.stop());

  for (const propagation of ["background", "foreground", "orphan"]) {
    it(`is not deleted: ${propagation}`, async () => {
      const said = await scene.say("delete", "sdb", "guarded", "-n", "shop", `--cascade=${propagation}`);
      assert.equal(said.ok, false);
      assert.match(said.text, SAYS);
      assert.deepEqual(await scene.living("shop"), ["guarded"]);
    });
  }

  it("is not deleted by force either", async () => {
    const said = await scene.say("delete", "sdb", "guarded", "-n", "shop", "--grace-period=0", "--force");
    assert.match(said.text, SAYS);
    assert.deepEqual(await scene.living("shop"), ["guarded"]);
  });

  it("is not deleted by one request for all of its namespace", async () => {
    const said = await scene.say("delete", "--raw", "/apis/sampledb.dev/v1/namespaces/shop/sampledbs");
    assert.match(said.text, SAYS);
    assert.deepEqual(await scene.living("shop"), ["guarded"]);
  });

  it("stays where kubectl deletes all", async () => {
    await scene.sampledb("shop", "plain");
    await scene.sampledb("shop", "unprotected", false);
    const said = await scene.say("delete", "sdb", "--all", "-n", "shop");
    assert.match(said.text, SAYS);
    assert.deepEqual(await scene.living("shop"), ["guarded"]);
  });

  it("goes with its namespace", async () => {
    await scene.sampledb("ending", "guarded", true);
    await scene.cluster.kubectl(["delete", "namespace", "ending", "--timeout=120s"]);
    assert.equal((await scene.say("get", "namespace", "ending")).ok, false);
  });

  it("can be changed, and its finalizers and status too", async () => {
    const patches = [
      ["--type=merge", "-p", '{"spec":{"paused":true}}'],
      ["--type=merge", "-p", '{"metadata":{"finalizers":["example.com/other"]}}'],
      ["--type=merge", "-p", '{"metadata":{"finalizers":null}}'],
      ["--subresource=status", "--type=merge", "-p", '{"status":{"version":"17"}}'],
    ];
    for (const patch of patches)
      await scene.cluster.kubectl(["patch", "sdb", "guarded", "-n", "shop", ...patch]);
  });

  it("is deleted after the command that the refusal recommends", async () => {
    const { text } = await scene.say("delete", "sdb", "guarded", "-n", "shop");
    await scene.obey(text);
    // What was refused stays refused: no deletion was waiting for this moment.
    assert.deepEqual(await scene.living("shop"), ["guarded"]);
    await scene.cluster.kubectl(["delete", "sdb", "guarded", "-n", "shop", "--timeout=60s"]);
    assert.deepEqual(await scene.living("shop"), []);
  });
});
