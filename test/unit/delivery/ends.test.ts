import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import { notYet } from "../../support/delivery/ends.ts";
import { Picture } from "../../support/delivery/picture.ts";
import type { Story } from "../../support/delivery/story.ts";

const KEPT: readonly (readonly [Kind, string])[] = [
  ["PersistentVolumeClaim", "orders-1-1"],
  ["Secret", "orders"],
  ["Secret", "orders-superuser"],
  ["PersistentVolume", "pv"],
];

const pictureOf = (things: readonly (readonly [Kind, string])[]): Picture => {
  const picture = new Picture();
  for (const [kind, name] of things) {
    picture.take({
      kind,
      type: "ADDED",
      thing: {
        kind,
        metadata: { name, labels: { "sampledb.dev/database": "orders" } },
        ...(kind === "PersistentVolume" ? { spec: { claimRef: { name: "orders-1-1" } } } : {}),
      },
    });
  }
  return picture;
};

const why = (end: Story["end"], things: readonly (readonly [Kind, string])[]): string | undefined =>
  notYet({ steps: [], end }, pictureOf(things), "orders");

describe("the end of a story", () => {
  it("has come where exactly that is left which is kept, or nothing", () => {
    assert.equal(why("kept", KEPT), undefined);
    assert.equal(why("gone", []), undefined);
  });
  it("has not where something is left over, or missing", () => {
    assert.match(why("kept", [...KEPT, ["Service", "orders"]]) ?? "", /Service orders.* instead of/u);
    assert.match(why("kept", KEPT.slice(1)) ?? "", /children are Secret orders/u);
    assert.match(why("gone", [["Secret", "orders"]]) ?? "", /instead of none/u);
  });
  it("has not while a volume or a pod is left, or a volume is there twice", () => {
    assert.match(why("gone", [["PersistentVolume", "pv"]]) ?? "", /1 volumes/u);
    assert.match(why("kept", [...KEPT, ["PersistentVolume", "pv-2"]]) ?? "", /2 volumes/u);
    assert.match(why("gone", [["Pod", "orders-1-0"]]) ?? "", /pods/u);
  });
  it("has not while the SampleDB is there that should be gone, or lacks its finalizer", () => {
    assert.match(why("gone", [["SampleDB", "orders"]]) ?? "", /finalizer/u);
  });
});
