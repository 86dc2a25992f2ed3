import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { drifted, refOf, withAppliedHash } from "../../../functions/shared/kube/drift.ts";

const desired = {
  metadata: { name: "orders-1", labels: { app: "orders" } },
  spec: {
    replicas: 1,
    volumes: [{ name: "tmp", emptyDir: {} }],
    containers: [{ name: "postgres", resources: { limits: { cpu: "1000m", memory: "1Gi" } } }],
  },
};

type Changed = { readonly metadata?: object; readonly spec?: object };

/** What the API server returns for `desired`, with `changed` in place of its fields. */
const observedWith = ({ metadata = {}, spec = {} }: Changed = {}) => {
  const applied = withAppliedHash(desired);
  return {
    metadata: { ...applied.metadata, uid: "1", resourceVersion: "7", ...metadata },
    spec: { ...applied.spec, podManagementPolicy: "Parallel", ...spec },
    status: { replicas: 1 },
  };
};

const container = (limits: object) => [{ name: "postgres", image: "x", resources: { limits } }];

describe("drifted", () => {
  const cases: readonly { readonly name: string; readonly changed: Changed; readonly want: boolean }[] = [
    { name: "is quiet for what it applied itself", changed: {}, want: false },
    { name: "sees a changed field", changed: { spec: { replicas: 2 } }, want: true },
    { name: "sees a removed field", changed: { spec: { replicas: undefined } }, want: true },
    { name: "sees a removed label", changed: { metadata: { labels: {} } }, want: true },
    {
      name: "ignores labels of others",
      changed: { metadata: { labels: { app: "orders", team: "a" } } },
      want: false,
    },
    {
      name: "compares quantities by value",
      changed: { spec: { containers: container({ cpu: "1", memory: "1024Mi" }) } },
      want: false,
    },
    {
      name: "sees another quantity",
      changed: { spec: { containers: container({ cpu: "2", memory: "1Gi" }) } },
      want: true,
    },
    {
      name: "sees an added list item",
      changed: { spec: { volumes: [...desired.spec.volumes, {}] } },
      want: true,
    },
    {
      name: "sees that it was applied from another object",
      changed: { metadata: { annotations: {} } },
      want: true,
    },
  ];
  for (const { name, changed, want } of cases) {
    it(name, () => {
      assert.equal(drifted(observedWith(changed), desired), want);
      assert.equal(drifted(observedWith(changed), withAppliedHash(desired)), want);
    });
  }

  it("does not read text as a quantity where none belongs", () => {
    const named = { metadata: { name: "x", labels: { version: "1000m" } } };
    const observed = withAppliedHash(named);
    const other = { metadata: { ...observed.metadata, labels: { version: "1" } } };
    assert.equal(drifted(other, named), true);
  });

  it("takes an empty map that the API server left out for contained", () => {
    const empty = { metadata: { name: "x" }, spec: { nodeSelector: {}, tolerations: [] } };
    const observed = { metadata: withAppliedHash(empty).metadata, spec: {} };
    assert.equal(drifted(observed, empty), false);
  });
});

describe("withAppliedHash", () => {
  it("does not depend on the order of fields", () => {
    const [a, b] = [
      { metadata: { name: "x" }, spec: { a: 1, b: 2 } },
      { metadata: { name: "x" }, spec: { b: 2, a: 1 } },
    ];
    assert.deepEqual(withAppliedHash(a).metadata, withAppliedHash(b).metadata);
  });
  it("is the same when applied twice", () => {
    assert.deepEqual(withAppliedHash(withAppliedHash(desired)), withAppliedHash(desired));
  });
});

describe("refOf", () => {
  it("names an object as it was read", () => {
    const metadata = { name: "orders", namespace: "shop", uid: "u", resourceVersion: "3" };
    assert.deepEqual(refOf("Service", { metadata }), { kind: "Service", ...metadata });
  });
  it("refuses an object that was never read", () => {
    assert.throws(() => refOf("Service", { metadata: { name: "orders" } }), /Service orders was not read/u);
  });
});
