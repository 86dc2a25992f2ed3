import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { provision } from "../../../functions/provision/provision.ts";
import { ANNOTATION, LABEL } from "../../../functions/shared/api/markers.ts";
import { planContext } from "../../support/imagined-cluster.ts";
import { begun, converged, planned } from "./scene.ts";

const CLAIM = "PersistentVolumeClaim";

describe("the data", () => {
  it("is marked as initialised once the StatefulSet was Ready, on the claim and for the start script", () => {
    const cluster = begun();
    assert.equal(cluster.named("ConfigMap", "orders").data?.["initialized"], "false");
    cluster.settle();
    for (const action of provision.plan(cluster.observe(), planContext())) cluster.carryOut(action);
    assert.equal(cluster.named(CLAIM, "orders-1-1").metadata?.annotations?.[ANNOTATION.initialized], "true");
    assert.equal(cluster.named("ConfigMap", "orders").data?.["initialized"], "true");
  });

  it("is kept by its volume as soon as the claim is bound", () => {
    const cluster = begun();
    cluster.settle();
    assert.ok(planned(cluster).includes("merge PersistentVolume pv-orders-1-1"));
    cluster.converge([provision]);
    const { metadata, spec } = cluster.named("PersistentVolume", "pv-orders-1-1");
    assert.equal(spec?.persistentVolumeReclaimPolicy, "Retain");
    assert.equal(metadata?.labels?.[LABEL.database], "orders");
    assert.equal(metadata?.labels?.[LABEL.namespace], "shop");
  });

  for (const secret of ["orders", "orders-superuser"]) {
    it(`never gets a new password when Secret ${secret} is gone`, () => {
      const cluster = converged();
      cluster.remove("Secret", secret);
      assert.deepEqual(planned(cluster), []);
    });
  }

  it("may get a new password as long as no database was seen on the volume", () => {
    const cluster = begun();
    cluster.remove("Secret", "orders-superuser");
    assert.deepEqual(planned(cluster), ["create Secret orders-superuser"]);
  });

  it("is not replaced by an empty volume when its claim is gone", () => {
    const cluster = converged();
    cluster.remove(CLAIM, "orders-1-1");
    assert.deepEqual(planned(cluster), []);
    cluster.remove("Secret", "orders");
    assert.deepEqual(planned(cluster), []);
    assert.equal(cluster.named("ConfigMap", "orders").data?.["initialized"], "true");
  });

  it("begins anew where only the ConfigMap of an earlier SampleDB of that name is left", () => {
    const cluster = begun();
    cluster.remove(CLAIM, "orders-1-1");
    const annotations = { [ANNOTATION.ownerUid]: "uid-of-an-earlier-one" };
    cluster.change("ConfigMap", "orders", { metadata: { annotations }, data: { initialized: "true" } });
    assert.ok(planned(cluster).includes("create PersistentVolumeClaim orders-1-1"));
  });

  it("runs on the image of its own version, whatever spec.version says", () => {
    const cluster = converged({ version: "16" });
    cluster.change("SampleDB", "orders", { spec: { version: "17" } });
    assert.deepEqual(planned(cluster), []);
    assert.match(JSON.stringify(cluster.named("StatefulSet", "orders-1")), /postgres:16/u);
  });

  it("runs on spec.image where it is set", () => {
    const cluster = converged();
    cluster.change("SampleDB", "orders", { spec: { image: "example.com/postgres:17" } });
    assert.deepEqual(planned(cluster), ["apply StatefulSet orders-1"]);
  });
});
