import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { initialize } from "../../../functions/initialize/initialize.ts";
import { ANNOTATION } from "../../../functions/shared/api/markers.ts";
import type { ImaginedCluster } from "../../support/imagined-cluster.ts";
import { carryOut, ended, facts, mode, planned, running } from "./init-scene.ts";

const initialized = (): ImaginedCluster => {
  const cluster = running();
  cluster.converge([initialize]);
  return cluster;
};

describe("a password that is changed by hand", () => {
  const other = { data: { password: "b3RoZXI=" } };
  for (const secret of ["orders", "orders-superuser"]) {
    it(`in Secret ${secret} is tried by a Job that runs no script`, () => {
      const cluster = initialized();
      const before = facts(cluster)[ANNOTATION.credentials];
      assert.match(before ?? "", /^[0-9a-f]{64}$/u);
      cluster.change("Secret", secret, other);
      assert.deepEqual(planned(cluster), ["create Job orders-init"]);
      carryOut(cluster);
      assert.equal(mode(cluster.named("Job", "orders-init")), "verify");
      cluster.settle();
      cluster.converge([initialize]);
      assert.notEqual(facts(cluster)[ANNOTATION.credentials], before);
      assert.deepEqual(cluster.all("Job"), []);
    });
  }

  it("while the Job runs is tried by another one", () => {
    const cluster = running();
    carryOut(cluster);
    cluster.change("Secret", "orders", other);
    cluster.settle();
    assert.deepEqual(planned(cluster), ["merge PersistentVolumeClaim orders-1-1", "delete Job orders-init"]);
    carryOut(cluster);
    assert.deepEqual(planned(cluster), ["create Job orders-init"]);
  });

  it("and put back makes the failed Job needless", () => {
    const cluster = initialized();
    const right = cluster.named("Secret", "orders").data?.["password"];
    cluster.change("Secret", "orders", other);
    carryOut(cluster);
    cluster.change("Job", "orders-init", ended("Failed"));
    assert.deepEqual(planned(cluster), []);
    cluster.change("Secret", "orders", { data: { password: right } });
    assert.deepEqual(planned(cluster), ["delete Job orders-init"]);
    carryOut(cluster);
    assert.deepEqual(planned(cluster), []);
  });

  it("away is waited for: there is nothing to try", () => {
    const cluster = initialized();
    cluster.remove("Secret", "orders");
    assert.deepEqual(planned(cluster), []);
  });
});
