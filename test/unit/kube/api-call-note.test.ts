import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { subjectOf } from "../../../functions/shared/kube/api-call-note.ts";

describe("what a call is about", () => {
  const rows = [
    ["/api/v1/secrets?limit=500", "secrets", "/api/v1/secrets"],
    ["/api/v1/namespaces/shop/secrets/orders", "secrets", "/api/v1/namespaces/{namespace}/secrets/{name}"],
    ["/api/v1/namespaces/shop/secrets", "secrets", "/api/v1/namespaces/{namespace}/secrets"],
    ["/api/v1/namespaces/shop", "namespaces", "/api/v1/namespaces/{name}"],
    [
      "/apis/sampledb.dev/v1/namespaces/shop/sampledbs/orders/status?fieldManager=x",
      "sampledbs",
      "/apis/sampledb.dev/v1/namespaces/{namespace}/sampledbs/{name}/status",
    ],
    [
      "/apis/storage.k8s.io/v1/storageclasses/fast",
      "storageclasses",
      "/apis/storage.k8s.io/v1/storageclasses/{name}",
    ],
    ["/openid/v1/jwks", "none", "/openid/v1/jwks"],
  ] as const;
  for (const [path, resource, template] of rows) {
    it(`${path}: ${template}`, () => {
      assert.deepEqual(subjectOf(path), { resource, template });
    });
  }
});
