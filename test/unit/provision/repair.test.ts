import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { provision } from "../../../functions/provision/provision.ts";
import { converged, field, planned } from "./scene.ts";

describe("what somebody changed by hand", () => {
  const repairs = [
    { name: "Service", kind: "Service", child: "orders", patch: { spec: { selector: { app: "other" } } } },
    { name: "ConfigMap", kind: "ConfigMap", child: "orders", patch: { data: { "start.sh": "true" } } },
    { name: "StatefulSet", kind: "StatefulSet", child: "orders-1", patch: { spec: { replicas: 2 } } },
    {
      name: "PodDisruptionBudget",
      kind: "PodDisruptionBudget",
      child: "orders",
      patch: { spec: { maxUnavailable: 0 } },
    },
  ] as const;
  for (const { name, kind, child, patch } of repairs) {
    it(`applies a changed ${name} again, and only that`, () => {
      const cluster = converged();
      cluster.change(kind, child, patch);
      assert.deepEqual(planned(cluster), [`apply ${kind} ${child}`]);
      cluster.remove(kind, child);
      assert.deepEqual(planned(cluster), [`apply ${kind} ${child}`]);
    });
  }

  it("repairs what is derived in a Secret and keeps its password and added keys", () => {
    const cluster = converged();
    const other = Buffer.from("other").toString("base64");
    cluster.change("Secret", "orders", { data: { host: null, password: other, note: other } });
    cluster.converge([provision]);
    assert.deepEqual(cluster.log, ["merge Secret orders"]);
    const secret = cluster.named("Secret", "orders");
    assert.equal(field(secret, "password"), "other");
    assert.equal(field(secret, "note"), "other");
    assert.equal(field(secret, "uri"), "postgresql://app:other@orders.shop.svc:5432/app");
  });

  it("leaves a password alone that is no text", () => {
    const cluster = converged();
    const bytes = Buffer.from([0xff, 0xfe, 0x41]).toString("base64");
    for (const secret of ["orders", "orders-superuser"]) {
      cluster.change("Secret", secret, { data: { password: bytes } });
      cluster.converge([provision]);
      assert.equal(cluster.named("Secret", secret).data?.["password"], bytes);
    }
  });

  it("writes a new generation on the StatefulSet, once, where nothing else of it changes, and never on its pods", () => {
    const cluster = converged();
    const { template } = cluster.named("StatefulSet", "orders-1").spec ?? {};
    cluster.change("SampleDB", "orders", {
      metadata: { generation: 2 },
      spec: { deletion: { policy: "Wipe" } },
    });
    cluster.converge([provision]);
    assert.deepEqual(cluster.log, ["apply StatefulSet orders-1"]);
    const { metadata, spec } = cluster.named("StatefulSet", "orders-1");
    assert.equal(metadata?.annotations?.["sampledb.dev/generation"], "2");
    assert.deepEqual(spec?.template, template);
  });

  it("waits for a child that is being deleted", () => {
    const cluster = converged();
    cluster.change("StatefulSet", "orders-1", {
      metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" },
      spec: { replicas: 0 },
    });
    assert.deepEqual(planned(cluster), []);
  });
});
