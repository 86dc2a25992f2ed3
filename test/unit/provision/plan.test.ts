import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";

import { provision } from "../../../functions/provision/provision.ts";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { ANNOTATION, FINALIZER, LABEL } from "../../../functions/shared/api/markers.ts";
import { violationsOf } from "../../../functions/shared/api/violations-of.ts";
import { arbitrarySampleDB } from "../../support/arbitrary-sampledb.ts";
import { ImaginedCluster, planContext } from "../../support/imagined-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { converged, field, planned, told } from "./scene.ts";

describe("what provision makes", () => {
  it("makes credentials and claim first and the StatefulSet last, on a claim that it made itself or that is its own", () => {
    const cluster = new ImaginedCluster(makeSampleDB());
    const first = planned(cluster);
    assert.deepEqual(first, [
      "create Secret orders",
      "create Secret orders-superuser",
      "create PersistentVolumeClaim orders-1-1",
      "apply ConfigMap orders",
      "apply Service orders-headless",
      "apply Service orders",
      "apply PodDisruptionBudget orders",
      "apply StatefulSet orders-1",
    ]);
    for (const action of provision.plan(cluster.observe(), planContext())) cluster.carryOut(action);
    assert.deepEqual(planned(cluster), []);
    cluster.remove("StatefulSet", "orders-1");
    assert.deepEqual(planned(cluster), ["apply StatefulSet orders-1"]);
  });

  it("makes no StatefulSet on a claim of that name that does not say that it serves", () => {
    const cluster = new ImaginedCluster(makeSampleDB(), {
      kind: "PersistentVolumeClaim",
      object: { metadata: { name: "orders-1-1", uid: "uid-other", resourceVersion: "1" } },
    });
    assert.ok(!planned(cluster).some((action) => /StatefulSet|PersistentVolumeClaim/u.test(action)));
  });

  it("needs at most three writes per child, and then none", () => {
    const cluster = new ImaginedCluster(makeSampleDB());
    cluster.converge([provision]);
    const writes = Object.values(Object.groupBy(cluster.log, (line) => line.split(" ").slice(1).join(" ")));
    assert.ok(
      writes.every((lines = []) => lines.length <= 3),
      cluster.log.join("\n"),
    );
    assert.deepEqual(planned(cluster), []);
  });

  it("plans nothing where everything is there, for any valid SampleDB", () => {
    fc.assert(
      fc.property(arbitrarySampleDB, (generated) => {
        const metadata = makeSampleDB().metadata;
        const sampledb = { ...generated, metadata, spec: { ...generated.spec, paused: false } };
        fc.pre(violationsOf({ object: sampledb, catalog: BUILT_IN_CATALOG }).length === 0);
        const cluster = new ImaginedCluster(sampledb);
        assert.ok(cluster.converge([provision]) <= 5);
        assert.deepEqual(planned(cluster), []);
      }),
      { numRuns: 50 },
    );
  });

  it("gives applications all that they bind to", () => {
    const secret = converged({ database: { name: "shop", owner: "keeper" } }).named("Secret", "orders");
    assert.equal(secret.type, "servicebinding.io/postgresql");
    const fields = Object.fromEntries(Object.keys(secret.data ?? {}).map((key) => [key, field(secret, key)]));
    assert.deepEqual(fields, {
      type: "postgresql",
      provider: "sampledb",
      host: "orders.shop.svc",
      port: "5432",
      database: "shop",
      username: "keeper",
      password: "password1",
      uri: "postgresql://keeper:password1@orders.shop.svc:5432/shop",
    });
  });

  it("gives no child an ownerReference", () => {
    const { objects } = converged().observe();
    const { PersistentVolume: _, ...children } = objects;
    for (const object of Object.values(children).flat()) {
      const metadata = "metadata" in object ? object.metadata : undefined;
      assert.equal(metadata?.labels?.[LABEL.database], "orders");
      assert.equal(metadata?.annotations?.[ANNOTATION.ownerUid], "uid-orders");
      assert.ok(!("ownerReferences" in (metadata ?? {})));
    }
  });
});

describe("when provision plans nothing", () => {
  const cases = [
    { name: "the SampleDB is being deleted", metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } },
    {
      name: "it is being deleted and has no finalizer",
      metadata: { deletionTimestamp: "2026-01-02T00:00:00Z", finalizers: [] },
    },
    { name: "it is paused", spec: { paused: true } },
    { name: "it breaks a rule that admission would have refused", spec: { storage: { size: "1Ki" } } },
  ];
  for (const { name, ...overrides } of cases) {
    it(`plans nothing when ${name}`, () => {
      assert.deepEqual(planned(new ImaginedCluster(makeSampleDB(overrides))), []);
    });
  }

  it("plans nothing for orphans", () => {
    assert.deepEqual(provision.plan({ ...converged().observe(), sampledb: undefined }, planContext()), []);
  });
});

describe("the finalizer", () => {
  it("comes before the first child, beside those of others", () => {
    const cluster = new ImaginedCluster(makeSampleDB({ metadata: { finalizers: ["example.com/a"] } }));
    const actions = provision.plan(cluster.observe(), planContext());
    assert.deepEqual(told(actions), ["merge SampleDB orders"]);
    for (const action of actions) cluster.carryOut(action);
    assert.deepEqual(cluster.named("SampleDB", "orders").metadata.finalizers, ["example.com/a", FINALIZER]);
  });
});
