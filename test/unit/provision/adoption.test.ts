import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { provision } from "../../../functions/provision/provision.ts";
import { ANNOTATION, LABEL } from "../../../functions/shared/api/markers.ts";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import { ImaginedCluster, planContext } from "../../support/imagined-cluster.ts";
import { converged, field, planned } from "./scene.ts";

const CLAIM = "PersistentVolumeClaim";

/** The cluster as `retire` leaves it for policy Retain, with a new SampleDB of the same name. */
const retained = (spec: SampleDBSpec = {}): ImaginedCluster => {
  const cluster = converged();
  for (const [kind, name] of [
    ["StatefulSet", "orders-1"],
    ["Service", "orders"],
    ["Service", "orders-headless"],
    ["ConfigMap", "orders"],
    ["PodDisruptionBudget", "orders"],
  ] as const) {
    cluster.remove(kind, name);
  }
  const mark = { metadata: { labels: { [LABEL.retained]: "true" } } };
  cluster.change(CLAIM, "orders-1-1", mark);
  cluster.change("Secret", "orders", mark);
  cluster.change("Secret", "orders-superuser", mark);
  cluster.change("SampleDB", "orders", { metadata: { uid: "uid-second" }, spec });
  return cluster;
};

describe("a volume that an earlier SampleDB left", () => {
  it("is taken over with its Secrets, the claim last, and served again with the same passwords", () => {
    const cluster = retained();
    assert.deepEqual(planned(cluster), [
      "merge Secret orders",
      "merge Secret orders-superuser",
      "merge PersistentVolumeClaim orders-1-1",
    ]);
    cluster.converge([provision]);
    const claim = cluster.named(CLAIM, "orders-1-1");
    assert.equal(claim.metadata?.annotations?.[ANNOTATION.ownerUid], "uid-second");
    assert.equal(claim.metadata?.labels?.[LABEL.retained], undefined);
    const secret = cluster.named("Secret", "orders");
    assert.equal(secret.metadata?.annotations?.[ANNOTATION.ownerUid], "uid-second");
    assert.equal(secret.metadata?.labels?.[LABEL.retained], undefined);
    assert.equal(field(secret, "password"), "password1");
    assert.ok(cluster.named("StatefulSet", "orders-1"));
  });

  it("is taken over also by a pass that follows one killed after each write", () => {
    for (const written of [1, 2]) {
      const cluster = retained();
      for (const action of provision.plan(cluster.observe(), planContext()).slice(0, written))
        cluster.carryOut(action);
      cluster.converge([provision]);
      const { metadata } = cluster.named(CLAIM, "orders-1-1");
      assert.equal(metadata?.annotations?.[ANNOTATION.ownerUid], "uid-second");
    }
  });

  const refusals = [
    { name: "holds another version", spec: { version: "15" } },
    { name: "holds another database", spec: { database: { name: "other" } } },
  ];
  for (const { name, spec } of refusals) {
    it(`is left alone when it ${name}`, () => {
      assert.deepEqual(planned(retained(spec)), []);
    });
  }

  it("is left alone when a Secret of it is missing", () => {
    const cluster = retained();
    cluster.remove("Secret", "orders");
    assert.deepEqual(planned(cluster), []);
  });

  it("is left alone while its claim is being deleted", () => {
    const cluster = retained();
    cluster.change(CLAIM, "orders-1-1", { metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } });
    assert.deepEqual(planned(cluster), []);
  });
});
