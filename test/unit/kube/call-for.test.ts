import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callFor } from "../../../functions/shared/kube/call-for.ts";
import type { Ref } from "../../../functions/shared/kube/action.ts";

const object = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "orders", namespace: "shop" },
} as const;
const ref: Ref = { kind: "SampleDB", namespace: "shop", name: "orders", uid: "u", resourceVersion: "7" };
const sampledbs = "/apis/sampledb.dev/v1/namespaces/shop/sampledbs/orders";

describe("callFor", () => {
  it("creates by POST under its field manager", () => {
    assert.deepEqual(callFor({ do: "create", object }, "sampledb-x"), {
      method: "POST",
      path: "/api/v1/namespaces/shop/services?fieldManager=sampledb-x",
      body: object,
    });
  });
  it("applies with the observed uid, so that it revives nothing", () => {
    assert.deepEqual(callFor({ do: "apply", object, uid: "u" }, "sampledb-x"), {
      method: "PATCH",
      path: "/api/v1/namespaces/shop/services/orders?fieldManager=sampledb-x&force=true",
      contentType: "application/apply-patch+yaml",
      body: { ...object, metadata: { ...object.metadata, uid: "u" } },
    });
  });
  it("applies what was not there with a version that no object has, so that it takes over nothing", () => {
    assert.deepEqual(callFor({ do: "apply", object, uid: undefined }, "sampledb-x").body, {
      ...object,
      metadata: { ...object.metadata, resourceVersion: "1" },
    });
  });
  it("merges with both preconditions, beside what the patch says of metadata", () => {
    const patch = { metadata: { finalizers: null }, spec: { paused: true } };
    assert.deepEqual(callFor({ do: "merge", ref, patch }, "sampledb-x"), {
      method: "PATCH",
      path: `${sampledbs}?fieldManager=sampledb-x`,
      contentType: "application/merge-patch+json",
      body: { metadata: { finalizers: null, uid: "u", resourceVersion: "7" }, spec: { paused: true } },
    });
  });
  it("merges the status by its subresource", () => {
    const call = callFor({ do: "merge", ref, patch: { status: {} }, subresource: "status" }, "sampledb-x");
    assert.equal(call.path, `${sampledbs}/status?fieldManager=sampledb-x`);
  });
  it("deletes only what was read", () => {
    assert.deepEqual(callFor({ do: "delete", ref, propagation: "Background" }, "sampledb-x"), {
      method: "DELETE",
      path: sampledbs,
      body: { preconditions: { uid: "u", resourceVersion: "7" }, propagationPolicy: "Background" },
    });
  });
  it("names cluster-scoped objects without a namespace", () => {
    const volume: Ref = { ...ref, kind: "PersistentVolume", name: "pv/1" };
    const call = callFor({ do: "delete", ref: volume, propagation: "Background" }, "sampledb-x");
    assert.equal(call.path, "/api/v1/persistentvolumes/pv%2F1");
  });
});
