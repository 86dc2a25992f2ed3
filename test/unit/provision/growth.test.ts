import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { provision } from "../../../functions/provision/provision.ts";
import { begun, converged, planned } from "./scene.ts";

const CLAIM = "orders-1-1";

describe("the claim's size", () => {
  it("follows a larger spec.storage.size by one patch, and nothing restarts", () => {
    const cluster = converged();
    cluster.change("SampleDB", "orders", { spec: { storage: { size: "2Gi" } } });
    cluster.converge([provision]);
    assert.deepEqual(cluster.log, [`merge PersistentVolumeClaim ${CLAIM}`]);
    const { spec } = cluster.named("PersistentVolumeClaim", CLAIM);
    assert.deepEqual(spec?.resources?.requests, { storage: "2Gi" });
  });

  it("is never lowered, and not written where it is the same in other words", () => {
    const cluster = converged({ storage: { size: "2Gi" } });
    for (const size of ["2048Mi", "1Gi"]) {
      cluster.change("SampleDB", "orders", { spec: { storage: { size } } });
      assert.deepEqual(planned(cluster), [], size);
    }
  });

  it("waits for a volume: of an unbound claim nothing may be changed", () => {
    const cluster = begun();
    cluster.change("SampleDB", "orders", { spec: { storage: { size: "2Gi" } } });
    assert.ok(!planned(cluster).includes(`merge PersistentVolumeClaim ${CLAIM}`));
  });

  it("comes last: where it is refused, every repair is made before it", () => {
    const cluster = converged();
    cluster.change("SampleDB", "orders", { spec: { storage: { size: "2Gi" } } });
    cluster.remove("Service", "orders");
    assert.deepEqual(planned(cluster), ["apply Service orders", `merge PersistentVolumeClaim ${CLAIM}`]);
  });

  it("is left alone on a claim that is being deleted, and while paused", () => {
    const cluster = converged();
    cluster.change("SampleDB", "orders", { spec: { storage: { size: "2Gi" }, paused: true } });
    assert.deepEqual(planned(cluster), []);
    cluster.change("SampleDB", "orders", { spec: { paused: false } });
    cluster.change("PersistentVolumeClaim", CLAIM, {
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    });
    assert.deepEqual(planned(cluster), []);
  });
});
