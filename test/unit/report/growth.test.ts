import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PersistentVolumeClaim } from "../../../functions/shared/kube/kinds.ts";
import { makeClaim } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { type Change, makeEvent } from "./make-observed.ts";
import { conditionsOf, eventsOf, planFor, summary, written } from "./report-writing.ts";

const grown = makeSampleDB({ spec: { storage: { size: "2Gi" } } });

const claimOf = (requested: string, status: PersistentVolumeClaim["status"] = {}): PersistentVolumeClaim =>
  makeClaim({
    spec: { storageClassName: "standard", resources: { requests: { storage: requested } } },
    status: { phase: "Bound", capacity: { storage: "1Gi" }, ...status },
  });

const standard = (allowVolumeExpansion: boolean) => ({
  metadata: { name: "standard" },
  provisioner: "example.com/none",
  allowVolumeExpansion,
});

const turned = (type: string, message: string): PersistentVolumeClaim["status"] => ({
  conditions: [{ type, status: "True", message }],
});

const refused = {
  by: "provision",
  object: "PersistentVolumeClaim orders-1-1",
  code: 403,
  reason: "Forbidden",
  message: "exceeded quota: tight",
};

const rows: readonly {
  readonly name: string;
  readonly change: Change;
  readonly reason: "VolumeResizing" | "VolumeResizeFailed" | "UpToDate";
  readonly says?: RegExp;
}[] = [
  {
    name: "it is about to be asked for",
    change: { objects: { PersistentVolumeClaim: [claimOf("1Gi")], StorageClass: [standard(true)] } },
    reason: "VolumeResizing",
    says: /^PersistentVolumeClaim orders-1-1 is to grow from 1Gi to 2Gi\.$/u,
  },
  {
    name: "its class does not allow it, whether the write was tried or not",
    change: { objects: { PersistentVolumeClaim: [claimOf("1Gi")], StorageClass: [standard(false)] } },
    reason: "VolumeResizeFailed",
    says: /cannot grow to 2Gi: StorageClass standard does not allow it .* goes on with 1Gi; move the data/u,
  },
  {
    name: "the API server refuses it",
    change: {
      objects: { PersistentVolumeClaim: [claimOf("1Gi")], StorageClass: [standard(true)] },
      context: { refused: [refused] },
    },
    reason: "VolumeResizeFailed",
    says: /cannot grow to 2Gi: [Ee]xceeded quota: tight\..*change what refuses it/u,
  },
  {
    name: "the driver is at it",
    change: { objects: { PersistentVolumeClaim: [claimOf("2Gi", turned("Resizing", ""))] } },
    reason: "VolumeResizing",
    says: /grows from 1Gi to 2Gi\.$/u,
  },
  {
    name: "the node still has to enlarge the file system",
    change: { objects: { PersistentVolumeClaim: [claimOf("2Gi", turned("FileSystemResizePending", ""))] } },
    reason: "VolumeResizing",
    says: /the node has to enlarge its file system/u,
  },
  {
    name: "the driver reports an error",
    change: {
      objects: {
        PersistentVolumeClaim: [claimOf("2Gi", turned("ControllerResizeError", "no space in pool"))],
      },
    },
    reason: "VolumeResizeFailed",
    says: /does not grow from 1Gi to 2Gi: [Nn]o space in pool\./u,
  },
  {
    name: "the driver gave up",
    change: {
      objects: {
        PersistentVolumeClaim: [
          claimOf("2Gi", { allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" } }),
        ],
      },
    },
    reason: "VolumeResizeFailed",
    says: /[Ii]ts driver cannot do it/u,
  },
  {
    name: "an Event tells of a failure",
    change: {
      objects: {
        PersistentVolumeClaim: [claimOf("2Gi")],
        Event: [makeEvent("uid-orders-1-1", "VolumeResizeFailed", "disk busy")],
      },
    },
    reason: "VolumeResizeFailed",
    says: /[Dd]isk busy/u,
  },
  {
    name: "it has the size",
    change: {
      objects: { PersistentVolumeClaim: [claimOf("2Gi", { capacity: { storage: "2Gi" } })] },
    },
    reason: "UpToDate",
  },
  {
    name: "the volume was larger from the start",
    change: { objects: { PersistentVolumeClaim: [claimOf("5Gi", { capacity: { storage: "8Gi" } })] } },
    reason: "UpToDate",
  },
];

describe("a larger spec.storage.size", () => {
  for (const { name, change, reason, says = /(?:)/u } of rows) {
    it(`leaves the database ready and is told: ${name}`, () => {
      const sampledb = written(change, grown);
      const isStalled = reason === "VolumeResizeFailed";
      assert.deepEqual(summary(sampledb), {
        Ready: "True DatabaseReady",
        Reconciling: reason === "VolumeResizing" ? `True ${reason}` : `False ${reason}`,
        Stalled: isStalled ? `True ${reason}` : "False NotStalled",
        Provisioned: "True Provisioned",
        Initialized: "True Initialized",
      });
      const { Stalled, Reconciling } = conditionsOf(sampledb);
      assert.match((isStalled ? Stalled : Reconciling)?.message ?? "", says);
    });
  }

  it("is told by a warning when it cannot be had, and not again in the next pass", () => {
    const [, { change } = { change: {} }] = rows;
    const ready = { ...written({}), spec: grown.spec ?? {} };
    const first = { ...change, sampledb: ready };
    assert.deepEqual(eventsOf(planFor(first)), ["Warning VolumeResizeFailed"]);
    assert.deepEqual(planFor({ ...change, sampledb: written(change, ready) }), []);
  });

  it("hides nothing that keeps the database from being used", () => {
    const refusedService = { ...refused, object: "Service orders" };
    const sampledb = written(
      {
        objects: { PersistentVolumeClaim: [claimOf("1Gi")], StorageClass: [standard(false)] },
        context: { refused: [refusedService] },
      },
      grown,
    );
    assert.match(conditionsOf(sampledb)["Ready"]?.message ?? "", /^Service orders: /u);
  });
});
