import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import type { Change, Thing } from "../../support/delivery/change.ts";
import { Rules } from "../../support/delivery/rules.ts";

const sampledb = (metadata: Thing["metadata"], policy = "Retain"): Change => ({
  kind: "SampleDB",
  type: "MODIFIED",
  thing: {
    kind: "SampleDB",
    metadata: { name: "orders", uid: "u", ...metadata },
    spec: { deletion: { policy } },
  },
});

const child = (kind: Kind, type: Change["type"], password = "cA=="): Change => ({
  kind,
  type,
  thing: {
    kind,
    metadata: { name: "orders", uid: `u-${kind}`, annotations: { "sampledb.dev/owner-uid": "u" } },
    ...(kind === "Secret" ? { data: { password } } : {}),
  },
});

const OURS = "sampledb.dev/retire";
const THEIRS = "shop.example.com/audit";
const DELETED = { deletionTimestamp: "2026-01-01T00:00:00Z" };

type Case = {
  readonly name: string;
  readonly before?: (rules: Rules) => void;
  readonly changes: readonly Change[];
  readonly breaks: readonly string[];
};

const CASES: readonly Case[] = [
  {
    name: "a living SampleDB that loses its finalizer",
    changes: [sampledb({ finalizers: [OURS] }), sampledb({})],
    breaks: ["SampleDB orders lives and lost its finalizer"],
  },
  {
    name: "not one that is being deleted",
    changes: [sampledb({ finalizers: [OURS] }), sampledb(DELETED)],
    breaks: [],
  },
  {
    name: "a finalizer of somebody else's that is taken away",
    changes: [sampledb({ finalizers: [THEIRS] }), sampledb(DELETED)],
    breaks: ["SampleDB orders lost somebody else's finalizer"],
  },
  {
    name: "not one that they let go of",
    before: (rules) => rules.release("u"),
    changes: [sampledb({ finalizers: [THEIRS] }), sampledb(DELETED)],
    breaks: [],
  },
  {
    name: "a child that is deleted though its SampleDB was not",
    changes: [sampledb({}), child("Service", "DELETED")],
    breaks: ["Service orders was deleted, and its SampleDB was not"],
  },
  {
    name: "not one that the user deleted, once",
    before: (rules) => rules.remove("Service", "orders"),
    changes: [sampledb({}), child("Service", "DELETED"), child("Service", "DELETED")],
    breaks: ["Service orders was deleted, and its SampleDB was not"],
  },
  {
    name: "data that is deleted under Retain",
    before: (rules) => rules.doom("u"),
    changes: [sampledb({}), child("PersistentVolumeClaim", "DELETED"), child("ConfigMap", "DELETED")],
    breaks: ["PersistentVolumeClaim orders was deleted under the policy Retain"],
  },
  {
    name: "not data that is deleted under Wipe",
    before: (rules) => rules.doom("u"),
    changes: [sampledb({}, "Wipe"), child("PersistentVolumeClaim", "DELETED")],
    breaks: [],
  },
  {
    name: "a password that changes",
    changes: [child("Secret", "ADDED"), child("Secret", "MODIFIED"), child("Secret", "MODIFIED", "cQ==")],
    breaks: ["the password in Secret orders changed"],
  },
];

describe("what must hold at every moment", () => {
  for (const { name, before, changes, breaks } of CASES) {
    it(`is broken by ${name}`.replace("by not", "not by"), () => {
      const rules = new Rules();
      before?.(rules);
      for (const change of changes) rules.take(change);
      assert.deepEqual(rules.broken, breaks);
    });
  }
});
