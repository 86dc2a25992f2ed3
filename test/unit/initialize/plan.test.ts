import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { initialize } from "../../../functions/initialize/initialize.ts";
import { provision } from "../../../functions/provision/provision.ts";
import { ANNOTATION } from "../../../functions/shared/api/markers.ts";
import { ImaginedCluster } from "../../support/imagined-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { carryOut, ended, facts, mode, plan, planned, running } from "./init-scene.ts";

const SCRIPT = { configMapKeyRef: { name: "orders-sql", key: "schema.sql" } };
const MORE = { secretKeyRef: { name: "orders-more", key: "data.sql" } };

/** The same with an init Job whose script failed. */
const failed = (): ImaginedCluster => {
  const cluster = running({ init: [SCRIPT] });
  cluster.sources.push({ script: SCRIPT, content: "SELEKT 1" });
  carryOut(cluster);
  cluster.change("Job", "orders-init", ended("Failed"));
  return cluster;
};

describe("the init Job", () => {
  it("is made once the database runs, recorded on the claim when it is done, and then deleted", () => {
    const cluster = running();
    assert.deepEqual(planned(cluster), ["create Job orders-init"]);
    carryOut(cluster);
    assert.deepEqual(planned(cluster), []);
    cluster.change("Job", "orders-init", ended("Complete"));
    assert.deepEqual(planned(cluster), ["merge PersistentVolumeClaim orders-1-1", "delete Job orders-init"]);
    carryOut(cluster);
    assert.equal(facts(cluster)[ANNOTATION.initScripts], "none");
    assert.equal(facts(cluster)[ANNOTATION.credentialsVerified], "uid-orders");
    assert.deepEqual(planned(cluster), []);
  });

  it("that is recorded and still there, after a pass that was cut off, is deleted", () => {
    const cluster = running();
    carryOut(cluster);
    cluster.change("Job", "orders-init", ended("Complete"));
    const [record] = plan(cluster);
    if (record !== undefined) cluster.carryOut(record);
    assert.deepEqual(planned(cluster), ["delete Job orders-init"]);
  });

  it("ends with provision beside it in a fixed point, with at most three writes per child", () => {
    const cluster = new ImaginedCluster(makeSampleDB());
    cluster.converge([provision, initialize]);
    const writes = Object.values(Object.groupBy(cluster.log, (line) => line.split(" ").slice(1).join(" ")));
    assert.ok(
      writes.every((lines = []) => lines.length <= 3),
      cluster.log.join("\n"),
    );
  });

  it("waits for a script that is missing", () => {
    const cluster = running({ init: [SCRIPT, MORE] });
    cluster.sources.push({ script: SCRIPT, content: "SELECT 1" }, { script: MORE, content: undefined });
    assert.deepEqual(planned(cluster), []);
    cluster.sources.splice(1, 1, { script: MORE, content: "SELECT 2" });
    assert.deepEqual(planned(cluster), ["create Job orders-init"]);
  });

  for (const secret of ["orders", "orders-superuser"]) {
    it(`waits for Secret ${secret} and its password`, () => {
      const cluster = running();
      cluster.change("Secret", secret, { data: { password: null } });
      assert.deepEqual(planned(cluster), []);
      cluster.remove("Secret", secret);
      assert.deepEqual(planned(cluster), []);
    });
  }

  it("waits until the database is Ready", () => {
    const cluster = running();
    cluster.change("StatefulSet", "orders-1", { status: { readyReplicas: 0 } });
    assert.deepEqual(planned(cluster), []);
  });

  const silent = [
    { name: "is paused", patch: { spec: { paused: true } } },
    { name: "is being deleted", patch: { metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } } },
    { name: "breaks a rule", patch: { spec: { storage: { size: "1Ki" } } } },
    { name: "does not own the claim", patch: { metadata: { uid: "uid-second" } } },
  ];
  for (const { name, patch } of silent) {
    it(`is not made when the SampleDB ${name}`, () => {
      const cluster = running();
      cluster.change("SampleDB", "orders", patch);
      assert.deepEqual(planned(cluster), []);
    });
  }

  it("of an earlier SampleDB is deleted", () => {
    const cluster = running();
    carryOut(cluster);
    cluster.change("Job", "orders-init", {
      metadata: { annotations: { [ANNOTATION.ownerUid]: "uid-first" } },
    });
    assert.deepEqual(planned(cluster), ["delete Job orders-init"]);
  });

  it("that is being deleted is waited for", () => {
    const cluster = running();
    carryOut(cluster);
    const going = {
      deletionTimestamp: "2026-01-02T00:00:00Z",
      annotations: { [ANNOTATION.ownerUid]: "uid-first" },
    };
    cluster.change("Job", "orders-init", { metadata: going });
    assert.deepEqual(planned(cluster), []);
  });
});

describe("a failed init Job", () => {
  it("stays as it is while nothing changed: the same again would fail the same way", () => {
    assert.deepEqual(planned(failed()), []);
  });

  it("is made anew when the script is corrected", () => {
    const cluster = failed();
    cluster.sources.splice(0, 1, { script: SCRIPT, content: "SELECT 1" });
    assert.deepEqual(planned(cluster), ["delete Job orders-init"]);
    carryOut(cluster);
    assert.deepEqual(planned(cluster), ["create Job orders-init"]);
  });

  it("is made anew when a Secret or the image changed", () => {
    const secret = failed();
    secret.change("Secret", "orders", { data: { password: "b3RoZXI=" } });
    assert.deepEqual(planned(secret), ["delete Job orders-init"]);
    const image = failed();
    image.change("SampleDB", "orders", { spec: { image: "example.com/postgres:17" } });
    image.converge([provision]);
    assert.deepEqual(planned(image), ["delete Job orders-init"]);
  });

  it("stays while its corrected script is missing", () => {
    const cluster = failed();
    cluster.sources.splice(0, 1, { script: SCRIPT, content: undefined });
    assert.deepEqual(planned(cluster), []);
  });
});

describe("init scripts", () => {
  it("are mounted in order and recorded by a digest that depends on order and content", () => {
    const digests = [
      [SCRIPT, MORE],
      [MORE, SCRIPT],
    ].map((init) => {
      const cluster = running({ init });
      cluster.sources.push({ script: SCRIPT, content: "SELECT 1" }, { script: MORE, content: "SELECT 2" });
      carryOut(cluster);
      cluster.settle();
      carryOut(cluster);
      return facts(cluster)[ANNOTATION.initScripts];
    });
    assert.match(digests[0] ?? "", /^[0-9a-f]{64}$/u);
    assert.notEqual(digests[0], digests[1]);
  });

  it("run once a volume: a new owner of it has only its credentials tried", () => {
    const cluster = running({ init: [SCRIPT] });
    cluster.sources.push({ script: SCRIPT, content: "SELECT 1" });
    cluster.converge([initialize]);
    const digest = facts(cluster)[ANNOTATION.initScripts];
    cluster.sources.length = 0;
    cluster.change("SampleDB", "orders", { metadata: { uid: "uid-second" } });
    cluster.converge([provision]);
    carryOut(cluster);
    const job = cluster.named("Job", "orders-init");
    assert.equal(mode(job), "verify");
    assert.ok(!JSON.stringify(job.spec).includes("orders-sql"));
    cluster.settle();
    cluster.converge([initialize]);
    assert.equal(facts(cluster)[ANNOTATION.initScripts], digest);
    assert.equal(facts(cluster)[ANNOTATION.credentialsVerified], "uid-second");
    assert.deepEqual(cluster.all("Job"), []);
  });
});
