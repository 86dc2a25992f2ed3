import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { widgetsCrd } from "../widgets-crd.ts";
import { PolicyScene } from "./scene.ts";

const CRD = "sampledbs.sampledb.dev";
const COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

describe("the CRD", () => {
  let scene: PolicyScene;
  before(async () => {
    scene = await PolicyScene.start("base/policies/crd-deletion.yaml");
    await scene.sampledb("shop", "orders", true);
    await scene.untilTried(true, "delete", "crd", CRD);
  });
  after(() => scene.stop());

  for (const propagation of ["background", "foreground", "orphan"]) {
    it(`is not deleted: ${propagation}`, async () => {
      const said = await scene.say("delete", "crd", CRD, `--cascade=${propagation}`);
      assert.match(said.text, /with it goes every SampleDB of the cluster.*kubectl annotate/u);
      assert.deepEqual(await scene.living("shop"), ["orders"]);
    });
  }

  it("is not deleted together with others, which are", async () => {
    await scene.apply(widgetsCrd);
    const said = await scene.say("delete", "crd", "widgets.example.com", CRD);
    assert.match(said.text, /with it goes every SampleDB/u);
    await scene.cluster.kubectl(["wait", "--for=delete", "crd/widgets.example.com", "--timeout=120s"]);
    assert.match((await scene.say("delete", "--raw", COLLECTION)).text, /with it goes every SampleDB/u);
    assert.deepEqual(await scene.living("shop"), ["orders"]);
  });

  it("is not deleted where the annotation says anything but true", async () => {
    await scene.cluster.kubectl(["annotate", "crd", CRD, "sampledb.dev/allow-delete=yes"]);
    assert.equal((await scene.say("delete", "crd", CRD)).ok, false);
  });

  it("is deleted, with all its SampleDBs, after the command that the refusal recommends", async () => {
    await scene.obey((await scene.say("delete", "crd", CRD)).text);
    await scene.cluster.kubectl(["delete", "crd", CRD, "--timeout=120s"]);
    assert.equal((await scene.say("get", "crd", CRD)).ok, false);
  });
});
