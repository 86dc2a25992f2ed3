import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../support/until.ts";
import { event, isOf, isWatch, labels, listOf, quiet, setUp } from "./source-scene.ts";

describe("source", () => {
  it("sends what exists when it starts, and is ready when it has listed every kind", async () => {
    await using t = await setUp((request) => {
      if (isWatch(request)) return { lines: [] };
      if (isOf("sampledbs")(request)) return listOf("5", "orders", "users");
      const orphan = {
        metadata: { namespace: "shop", name: "gone-1-1", labels: { "sampledb.dev/database": "gone" } },
      };
      return isOf("persistentvolumeclaims")(request)
        ? { body: { metadata: { resourceVersion: "5" }, items: [orphan] } }
        : listOf("5");
    });
    await until("three keys", () => t.sent().length === 3);
    await until("readiness", t.source.isReady);
    assert.deepEqual(t.sent().toSorted(), ["shop/gone", "shop/orders", "shop/users"]);
    const request = t.sink.requests.find(({ headers }) => headers["ce-name"] === "orders");
    assert.equal(request?.path, "/function/reconcile");
    assert.equal(request?.headers["ce-type"], "dev.sampledb.source.changed");
    assert.equal(request?.headers["ce-kind"], "SampleDB");
    assert.equal(request?.headers["ce-subject"], "/apis/sampledb.dev/v1/namespaces/shop/sampledbs/orders");
    assert.equal(request?.body, "");
  });

  it("asks for metadata alone and, but for SampleDBs, for labelled objects alone", async () => {
    await using t = await setUp(quiet);
    await until("nine watches", () => t.fake.requests.filter(isWatch).length === 9);
    for (const { path, query, headers } of t.fake.requests) {
      assert.match(headers.accept ?? "", /;as=PartialObjectMetadata(List)?;g=meta\.k8s\.io;v=v1$/u);
      assert.equal(query.get("labelSelector"), path.endsWith("/sampledbs") ? null : "sampledb.dev/database");
    }
    for (const { query } of t.fake.requests.filter(isWatch)) {
      assert.equal(query.get("allowWatchBookmarks"), "true");
      assert.equal(query.get("resourceVersion"), "1");
    }
  });

  it("sends the key that a child's label names, deletions too", async () => {
    const gone = event("DELETED", {
      metadata: { namespace: "shop", name: "orders", labels, resourceVersion: "2" },
    });
    await using t = await setUp((request) =>
      isWatch(request) && isOf("services")(request) ? { lines: [gone] } : quiet(request),
    );
    await until("the key", () => t.sent().length > 0);
    assert.deepEqual(t.sent(), ["shop/orders"]);
  });

  it("sends again what nobody took, and drops what is refused", async () => {
    await using t = await setUp(
      (request) =>
        isOf("sampledbs")(request) && !isWatch(request) ? listOf("5", "orders", "users") : quiet(request),
      (name, nth) => {
        if (name === "users") return { status: 400 };
        return nth < 6 ? { status: 503 } : { status: 204 };
      },
    );
    await until("an empty queue", () => t.sent().includes("shop/orders") && t.source.size() === 0);
    assert.equal(t.sent().filter((key) => key === "shop/users").length, 1);
    assert.ok(t.sent().filter((key) => key === "shop/orders").length > 3);
  });
});
