import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keyText } from "../../../functions/shared/api/key.ts";
import { keysOf } from "../../../functions/shared/api/keys-of.ts";
import type { Hint } from "../../../functions/shared/api/keys-of.ts";

const hint = (parts: Partial<Hint>): Hint => ({
  kind: undefined,
  namespace: undefined,
  name: undefined,
  data: undefined,
  ...parts,
});
const child = (kind: string, metadata: object) =>
  hint({ data: { kind, metadata: { namespace: "shop", ...metadata } } });
const reference = (kind: string, name: string) =>
  hint({ kind, namespace: "shop", name, data: { kind, name, namespace: "shop" } });
const labels = { "sampledb.dev/database": "orders" };

describe("keysOf", () => {
  const cases: readonly { readonly name: string; readonly hint: Hint; readonly want: readonly string[] }[] = [
    {
      name: "takes our own event's attributes",
      hint: hint({ kind: "SampleDB", namespace: "shop", name: "orders" }),
      want: ["shop/orders"],
    },
    {
      name: "takes a SampleDB that travels whole",
      hint: child("SampleDB", { name: "orders" }),
      want: ["shop/orders"],
    },
    { name: "takes a reference to a SampleDB", hint: reference("SampleDB", "orders"), want: ["shop/orders"] },
    {
      name: "takes a child's label",
      hint: child("Pod", { name: "orders-1-0", labels }),
      want: ["shop/orders"],
    },
    {
      name: "prefers the label to the name",
      hint: child("Secret", { name: "something-1", labels }),
      want: ["shop/orders"],
    },
    {
      name: "takes every SampleDB that a referenced child's name could belong to",
      hint: reference("Secret", "orders-superuser"),
      want: ["shop/orders-superuser", "shop/orders"],
    },
    {
      name: "takes them for a claim too",
      hint: reference("PersistentVolumeClaim", "orders-1-1"),
      want: ["shop/orders-1-1", "shop/orders", "shop/orders-1"],
    },
    {
      name: "takes the namespace of a cluster-scoped volume from its label",
      hint: hint({
        data: {
          kind: "PersistentVolume",
          metadata: { name: "pv-1", labels: { ...labels, "sampledb.dev/namespace": "shop" } },
        },
      }),
      want: ["shop/orders"],
    },
    {
      name: "finds none in an unlabelled object of another kind",
      hint: child("Node", { name: "a" }),
      want: [],
    },
    { name: "finds none in a tick", hint: hint({ data: { resync: true } }), want: [] },
    { name: "finds none in nothing", hint: hint({}), want: [] },
    { name: "refuses a path in place of a name", hint: reference("SampleDB", "../../secrets"), want: [] },
    {
      name: "refuses a namespace that is none",
      hint: hint({ kind: "SampleDB", namespace: "a/b", name: "c" }),
      want: [],
    },
    {
      name: "refuses a label that is no name",
      hint: child("Pod", { name: "x", labels: { "sampledb.dev/database": "a,b" } }),
      want: [],
    },
    { name: "refuses a name that is too long", hint: reference("SampleDB", "a".repeat(254)), want: [] },
    {
      name: "survives fields of other types",
      hint: hint({ kind: 1, namespace: {}, name: [], data: [1] }),
      want: [],
    },
  ];
  for (const { name, hint: given, want } of cases) {
    it(name, () => {
      assert.deepEqual(keysOf(given).map(keyText), want);
    });
  }
});
