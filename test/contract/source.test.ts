import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { describe, it } from "node:test";
import { apiServer } from "../../functions/shared/kube/api-server.ts";
import { httpSink } from "../../functions/shared/serve/sink.ts";
import { startSource } from "../../functions/source/source.ts";
import { failure, fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeRequest } from "../support/fake-api-server.ts";
import { until } from "../support/until.ts";

const labels = { "sampledb.dev/database": "orders" };
const meta = (name: string, resourceVersion: string) => ({
  metadata: { namespace: "shop", name, resourceVersion },
});
const event = (type: string, object: object) => ({ type, object });
const bookmark = (resourceVersion: string) => event("BOOKMARK", { metadata: { resourceVersion } });
const expired = event("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });

const isWatch = ({ query }: FakeRequest): boolean => query.get("watch") === "true";
const isOf =
  (plural: string) =>
  ({ path }: FakeRequest): boolean =>
    path.endsWith(`/${plural}`);
const listOf = (resourceVersion: string, ...names: readonly string[]): FakeAnswer => ({
  body: { metadata: { resourceVersion }, items: names.map((name) => meta(name, resourceVersion)) },
});
/** An empty list, or a watch in which nothing happens. */
const quiet = (request: FakeRequest): FakeAnswer => (isWatch(request) ? { lines: [] } : listOf("1"));

/** A source between a fake API server and a fake sink. Waits are cut to a few milliseconds; their lengths are recorded. */
const setUp = async (
  answer: (request: FakeRequest, nth: number) => FakeAnswer,
  sinkAnswer: (name: string, nth: number) => FakeAnswer = () => ({ status: 204 }),
) => {
  const fake = await fakeApiServer(answer);
  const sink = await fakeApiServer(({ headers }, nth) => sinkAnswer(String(headers["ce-name"]), nth));
  const api = apiServer(fake.readAccess);
  const http = httpSink(new URL(`${sink.url}/function/reconcile`), "source.changed", 4);
  const waits: number[] = [];
  const source = startSource({
    api,
    sinks: [http],
    concurrency: 4,
    wait: (ms) => {
      waits.push(ms);
      return wait(2);
    },
  });
  return {
    fake,
    sink,
    source,
    waits,
    sent: () =>
      sink.requests.map(({ headers }) => `${String(headers["ce-namespace"])}/${String(headers["ce-name"])}`),
    [Symbol.asyncDispose]: async () => {
      await source.stop();
      api.close();
      http.close();
      await fake[Symbol.asyncDispose]();
      await sink[Symbol.asyncDispose]();
    },
  };
};

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

  it("goes on from the last bookmark when a watch ends, without a new list", async () => {
    await using t = await setUp((request) => {
      if (!isWatch(request) || !isOf("sampledbs")(request)) return quiet(request);
      return request.query.get("resourceVersion") === "1"
        ? { lines: [event("MODIFIED", meta("orders", "7")), bookmark("9")], ends: true }
        : { lines: [event("ADDED", meta("users", "10"))] };
    });
    await until("both keys", () => t.sent().length === 2);
    assert.deepEqual(t.sent(), ["shop/orders", "shop/users"]);
    const sampledbs = t.fake.requests.filter(isOf("sampledbs"));
    assert.deepEqual(
      sampledbs.map((request) => (isWatch(request) ? request.query.get("resourceVersion") : "list")),
      ["list", "1", "9"],
    );
  });

  it("goes on from there when a watch breaks off", async () => {
    await using t = await setUp((request) => {
      if (!isWatch(request) || !isOf("sampledbs")(request)) return quiet(request);
      return request.query.get("resourceVersion") === "1" ? { lines: [bookmark("4")], ends: true } : "cut";
    });
    await until("another try", () => t.fake.requests.filter(isOf("sampledbs")).length > 3);
    assert.equal(t.fake.requests.filter((each) => isOf("sampledbs")(each) && !isWatch(each)).length, 1);
    assert.equal(t.fake.requests.findLast(isOf("sampledbs"))?.query.get("resourceVersion"), "4");
  });

  for (const [name, refusal] of [
    ["as an event", { lines: [expired], ends: true }],
    ["as an answer", failure(410, "Expired")],
  ] as const) {
    it(`lists and sends what exists again when the version is too old (told ${name})`, async () => {
      await using t = await setUp((request) => {
        if (!isOf("sampledbs")(request)) return quiet(request);
        if (!isWatch(request)) return listOf(t.fake.requests.length > 20 ? "8" : "5", "orders");
        return request.query.get("resourceVersion") === "5" ? refusal : { lines: [] };
      });
      await until("a second delivery", () => t.sent().length >= 2);
      assert.deepEqual(new Set(t.sent()), new Set(["shop/orders"]));
    });
  }

  it("looks at every SampleDB again after a gap in its children's watch: one may have gone unseen", async () => {
    let watches = 0;
    await using t = await setUp((request) => {
      if (isOf("sampledbs")(request)) return isWatch(request) ? { lines: [] } : listOf("5", "orders");
      if (!isWatch(request) || !isOf("services")(request)) return quiet(request);
      watches += 1;
      return watches === 1 ? { lines: [expired], ends: true } : { lines: [] };
    });
    await until(
      "a second list of SampleDBs",
      () => t.fake.requests.filter((each) => isOf("sampledbs")(each) && !isWatch(each)).length === 2,
    );
    await until("a second delivery", () => t.sent().length === 2);
  });

  it("waits for a kind that is not installed yet, later and later, and is not ready before", async () => {
    let lists = 0;
    await using t = await setUp((request) => {
      if (!isOf("sampledbs")(request)) return quiet(request);
      if (isWatch(request)) return { lines: [] };
      lists += 1;
      if (lists < 4) {
        assert.equal(t.source.isReady(), false);
        return failure(404, "NotFound");
      }
      return listOf("5", "orders");
    });
    await until("the key", () => t.sent().length === 1);
    assert.equal(t.waits.length, 3);
    const [first = 0, second = 0, third = 0] = t.waits;
    assert.ok(first >= 50 && first <= 100 && second >= 100 && second <= 200 && third >= 200 && third <= 400);
    await until("readiness", t.source.isReady);
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
