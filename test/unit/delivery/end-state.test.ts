import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endState } from "../../support/delivery/end-state.ts";

const uid = (digit: string): string => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

const claim = (name: string, own: string, owner: string): object => ({
  kind: "PersistentVolumeClaim",
  metadata: {
    name: `${name}-1-1`,
    namespace: "shop",
    uid: own,
    generation: 3,
    resourceVersion: "9",
    annotations: { "sampledb.dev/owner-uid": owner },
  },
  status: { phase: "Bound" },
});

const sampledb = (name: string, own: string): object => ({
  kind: "SampleDB",
  metadata: { name, namespace: "shop", uid: own, generation: 1 },
});

const stateOf = (name: string, own: string, owner: string): string =>
  endState(sampledb(name, own), [claim(name, uid("7"), owner)], { namespace: "shop", name });

describe("the state in which a SampleDB ended", () => {
  it("is equal for two that differ in name and uids alone", () => {
    assert.equal(stateOf("orders", uid("1"), uid("1")), stateOf("billing", uid("2"), uid("2")));
  });
  it("is another where a child belongs to another", () => {
    assert.notEqual(stateOf("orders", uid("1"), uid("1")), stateOf("billing", uid("2"), uid("3")));
  });
  it("tells a SampleDB that is gone from one that is there", () => {
    const gone = endState(undefined, [claim("orders", uid("7"), uid("1"))], {
      namespace: "shop",
      name: "orders",
    });
    assert.notEqual(gone, stateOf("orders", uid("1"), uid("1")));
  });
  it("has the generation of the SampleDB, not of its children", () => {
    const text = stateOf("orders", uid("1"), uid("1"));
    assert.match(text, /"generation": 1/u);
    assert.doesNotMatch(text, /"generation": 3/u);
  });
});
