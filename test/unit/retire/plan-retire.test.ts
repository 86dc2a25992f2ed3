import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { DeletionPolicy } from "../../../functions/shared/api/sampledb.ts";
import { makeClaim, makePendingClaim, makePod } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { pass, planFor, runToEnd } from "./run-world.ts";
import { World } from "./world.ts";
import { children, deletedWorld, foreignNames, leftBy } from "./worlds.ts";

const policies: readonly DeletionPolicy[] = ["Retain", "Wipe"];
const without = (...names: readonly string[]): typeof children =>
  children.filter(({ kind, object }) => !names.includes(`${kind} ${object.metadata?.name ?? ""}`));

describe("when retire acts", () => {
  const left: readonly { readonly name: string; readonly world: World }[] = [
    { name: "plans nothing where there is no SampleDB", world: new World(children) },
    {
      name: "plans nothing for a living SampleDB",
      world: new World([{ kind: "SampleDB", object: makeSampleDB() }, ...children]),
    },
    {
      name: "plans nothing once its finalizer is gone, though others hold the SampleDB",
      world: deletedWorld("Wipe", { metadata: { finalizers: ["example.com/other"] } }),
    },
  ];
  for (const { name, world } of left) it(name, () => assert.deepEqual(planFor(world), []));

  for (const policy of policies) {
    it(`${policy}: works while the SampleDB is paused`, () => {
      const world = deletedWorld(policy);
      world.change("SampleDB", "orders", { spec: { paused: true } });
      runToEnd(world);
      assert.deepEqual(world.names(), leftBy[policy]);
    });
  }
});

describe("the end of a retirement", () => {
  const propagations = {
    background: ["sampledb.dev/retire"],
    foreground: ["foregroundDeletion", "sampledb.dev/retire"],
    orphan: ["orphan", "sampledb.dev/retire"],
  };
  for (const policy of policies) {
    for (const [propagation, finalizers] of Object.entries(propagations)) {
      it(`${policy}: is the same with ${propagation} propagation, whose finalizer is left to its owner`, () => {
        const world = deletedWorld(policy, { metadata: { finalizers } });
        runToEnd(world);
        const others = finalizers.filter((finalizer) => finalizer !== "sampledb.dev/retire");
        assert.deepEqual(world.all("SampleDB")[0]?.metadata.finalizers ?? [], others);
        world.change("SampleDB", "orders", { metadata: { finalizers: [] } });
        world.tick();
        assert.deepEqual(world.names(), leftBy[policy]);
      });
    }

    it(`${policy}: is the same wherever a pass is killed`, () => {
      const undisturbed = deletedWorld(policy);
      runToEnd(undisturbed);
      for (let first = 0; first < undisturbed.log.length; first += 1) {
        const world = deletedWorld(policy);
        while (world.log.length < first) {
          const missing = first - world.log.length;
          pass(world, missing);
          world.tick();
        }
        runToEnd(world);
        assert.deepEqual(world.names(), leftBy[policy], `killed after ${first} actions`);
      }
    });

    it(`${policy}: is the same where StatefulSet and Job were deleted before and their pods orphaned`, () => {
      const world = deletedWorld(policy, {
        entries: [
          ...without("StatefulSet orders-1", "Pod orders-1-0", "Job orders-init"),
          { kind: "Pod", object: makePod({}, null) },
        ],
      });
      runToEnd(world);
      assert.deepEqual(world.names(), leftBy[policy]);
      assert.ok(world.log.includes("delete Pod orders-1-0"));
    });
  }
});

describe("the policy Retain", () => {
  it("marks claim and Secrets as kept, with what they are, before anything is deleted", () => {
    const world = deletedWorld("Retain");
    pass(world);
    assert.deepEqual(
      world.log.map((line) => line.split(" ")[0]),
      ["merge", "merge", "merge"],
    );
    const marked = [...world.all("PersistentVolumeClaim"), ...world.all("Secret")].filter(
      ({ metadata }) => metadata?.labels?.["sampledb.dev/retained"] === "true",
    );
    assert.deepEqual(
      marked.map(({ metadata }) => metadata?.name),
      ["orders-1-1", "orders", "orders-superuser"],
    );
    for (const { metadata } of marked) {
      assert.equal(metadata?.annotations?.["sampledb.dev/database-name"], "app");
      assert.equal(metadata?.annotations?.["sampledb.dev/database-owner"], "app");
    }
  });

  it("keeps the facts that a claim already states", () => {
    const claim = makeClaim({ metadata: { annotations: { "sampledb.dev/database-name": "sales" } } });
    const world = deletedWorld("Retain", {
      entries: [
        ...without("PersistentVolumeClaim orders-1-1"),
        { kind: "PersistentVolumeClaim", object: claim },
      ],
    });
    runToEnd(world);
    const kept = world.all("PersistentVolumeClaim").find(({ metadata }) => metadata?.name === "orders-1-1");
    assert.equal(kept?.metadata?.annotations?.["sampledb.dev/database-name"], "sales");
  });

  it("makes sure that the PersistentVolume outlives a claim that the namespace's deletion takes", () => {
    const world = deletedWorld("Retain");
    world.change("PersistentVolume", "pv-orders", { spec: { persistentVolumeReclaimPolicy: "Delete" } });
    world.change("PersistentVolumeClaim", "orders-1-1", {
      metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" },
    });
    runToEnd(world);
    assert.deepEqual(
      world.names(),
      leftBy.Retain.filter((name) => name !== "PersistentVolumeClaim orders-1-1"),
    );
  });

  it("leaves nothing of a database whose claim was never bound: there is no data", () => {
    const world = deletedWorld("Retain", {
      entries: [
        ...without("PersistentVolumeClaim orders-1-1", "PersistentVolume pv-orders", "ConfigMap orders"),
        { kind: "PersistentVolumeClaim", object: makePendingClaim() },
      ],
    });
    runToEnd(world);
    assert.deepEqual(world.names(), foreignNames);
  });

  it("keeps the Secrets where the claim was removed by hand: the PersistentVolume still has the data", () => {
    const world = deletedWorld("Retain", { entries: without("PersistentVolumeClaim orders-1-1") });
    runToEnd(world);
    assert.deepEqual(
      world.names(),
      leftBy.Retain.filter((name) => name !== "PersistentVolumeClaim orders-1-1"),
    );
  });

  it("keeps the data where a Wipe that has begun is changed to Retain", () => {
    const world = deletedWorld("Wipe");
    while (!world.log.includes("merge PersistentVolume pv-orders")) {
      pass(world);
      world.tick();
    }
    world.change("SampleDB", "orders", { spec: { deletion: { policy: "Retain" } } });
    runToEnd(world);
    assert.deepEqual(world.names(), leftBy.Retain);
    const volume = world.all("PersistentVolume").find(({ metadata }) => metadata?.name === "pv-orders");
    assert.equal(volume?.spec?.persistentVolumeReclaimPolicy, "Retain");
  });
});

describe("the policy Wipe", () => {
  it("goes in order: database, its pods gone, volume, claim, Secrets, the rest, finalizer", () => {
    const world = deletedWorld("Wipe");
    runToEnd(world);
    assert.deepEqual(world.log, [
      "delete StatefulSet orders-1",
      "delete Job orders-init",
      "merge PersistentVolume pv-orders",
      "delete PersistentVolumeClaim orders-1-1",
      "delete Secret orders",
      "delete Secret orders-superuser",
      "delete Service orders",
      "delete Service orders-headless",
      "delete PodDisruptionBudget orders",
      "delete ConfigMap orders",
      "merge SampleDB orders",
    ]);
  });

  it("writes on a volume that goes with its claim anyway, once: a pass of before the deletion can keep it no more", () => {
    const world = deletedWorld("Wipe");
    world.change("PersistentVolume", "pv-orders", { spec: { persistentVolumeReclaimPolicy: "Delete" } });
    runToEnd(world);
    const volume = world.log.filter((line) => line === "merge PersistentVolume pv-orders");
    assert.equal(volume.length, 1);
    assert.ok(
      world.log.indexOf(volume[0] ?? "") < world.log.indexOf("delete PersistentVolumeClaim orders-1-1"),
    );
  });

  it("waits while a pod is left", () => {
    const world = deletedWorld("Wipe");
    pass(world);
    assert.deepEqual(planFor(world), []);
  });

  it("waits with the Secrets while something else uses the claim", () => {
    const user = makePod({ metadata: { name: "debug", uid: "uid-debug" } }, null);
    const other = {
      ...user,
      metadata: { ...user.metadata, annotations: { "sampledb.dev/owner-uid": "uid-x" } },
    };
    const world = deletedWorld("Wipe", { entries: [...children, { kind: "Pod", object: other }] });
    for (let round = 0; round < 6; round += 1) {
      pass(world);
      world.tick();
    }
    assert.ok(world.names().includes("PersistentVolumeClaim orders-1-1"));
    assert.ok(world.names().includes("Secret orders"));
    assert.deepEqual(planFor(world), []);
  });

  it("leaves a volume alone that names another claim than ours", () => {
    const world = deletedWorld("Wipe");
    world.change("PersistentVolume", "pv-orders", { spec: { claimRef: { uid: "uid-other" } } });
    runToEnd(world);
    const volume = world.all("PersistentVolume").find(({ metadata }) => metadata?.name === "pv-orders");
    assert.equal(volume?.spec?.persistentVolumeReclaimPolicy, "Retain");
  });

  it("takes the volume along whose claim the namespace's deletion takes", () => {
    const world = deletedWorld("Wipe");
    world.change("PersistentVolumeClaim", "orders-1-1", {
      metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" },
    });
    pass(world);
    assert.deepEqual(world.log, ["merge PersistentVolume pv-orders"]);
    runToEnd(world);
    assert.deepEqual(world.names(), foreignNames);
  });
});
