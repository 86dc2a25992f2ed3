import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Action } from "../../../functions/shared/kube/action.ts";
import { metrics } from "../../../functions/shared/serve/metrics.ts";
import { passNotes } from "../../../functions/shared/serve/pass-notes.ts";
import { captureLogs } from "../../support/capture-logs.ts";

const KEY = { namespace: "shop", name: "orders" };
const object = { apiVersion: "v1", kind: "Secret", metadata: { name: "orders", namespace: "shop" } } as const;
const ref = { kind: "SampleDB", namespace: "shop", name: "orders", uid: "u", resourceVersion: "1" } as const;

describe("what a pass tells", () => {
  const writes: readonly (readonly [action: Action, message: string])[] = [
    [{ do: "create", object }, "created Secret orders"],
    [{ do: "apply", object, uid: "u" }, "applied Secret orders"],
    [{ do: "merge", ref, patch: {} }, "changed SampleDB orders"],
    [{ do: "merge", ref, patch: {}, subresource: "status" }, "changed status of SampleDB orders"],
    [{ do: "delete", ref, propagation: "Foreground" }, "deleted SampleDB orders"],
  ];
  for (const [action, message] of writes) {
    it(`is one line for a write: ${message}`, (t) => {
      const logged = captureLogs(t);
      passNotes(metrics())({ note: "wrote", by: "provision", action }, KEY);
      const [{ time: _, ...line } = {}, ...more] = logged();
      assert.deepEqual(line, { level: "info", message, key: "shop/orders", function: "provision" });
      assert.deepEqual(more, []);
    });
  }

  for (const [outcome, level] of [
    ["unreadable", "error"],
    ["overdue", "warning"],
    ["conflict", "info"],
    ["abandoned", "info"],
  ] as const) {
    it(`is why it was cut short: ${outcome}, at level ${level}`, (t) => {
      const logged = captureLogs(t);
      passNotes(metrics())({ note: "cut-short", outcome, cause: new Error("because") }, KEY);
      const [{ time: _, ...line } = {}] = logged();
      assert.deepEqual(line, { level, message: "because", key: "shop/orders", outcome });
    });
  }
});
