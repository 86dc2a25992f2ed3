import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FakeRequest } from "../support/fake-api-server.ts";
import { failure } from "../support/fake-api-server.ts";
import { until } from "../support/until.ts";
import { bookmark, event, expired, isOf, isWatch, listOf, meta, quiet, setUp } from "./source-scene.ts";

const listsOf =
  (plural: string) =>
  (request: FakeRequest): boolean =>
    isOf(plural)(request) && !isWatch(request);

describe("source's watches", () => {
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

  it("looks at every SampleDB again after a gap in its children's watch: a child may have gone unseen", async () => {
    let watches = 0;
    await using t = await setUp((request) => {
      if (isOf("sampledbs")(request)) return isWatch(request) ? { lines: [] } : listOf("5", "orders");
      if (!isWatch(request) || !isOf("services")(request)) return quiet(request);
      watches += 1;
      return watches === 1 ? { lines: [expired], ends: true } : { lines: [] };
    });
    await until("a second delivery", () => t.sent().length === 2);
    assert.deepEqual(t.sent(), ["shop/orders", "shop/orders"]);
    assert.equal(t.fake.requests.filter(listsOf("sampledbs")).length, 1);
  });

  it("sends a SampleDB that went away in a gap, and not one whose deletion it saw", async () => {
    const deleted = event("DELETED", meta("seen", "6"));
    let lists = 0;
    await using t = await setUp((request) => {
      if (!isOf("sampledbs")(request)) return quiet(request);
      if (isWatch(request)) {
        return request.query.get("resourceVersion") === "5"
          ? { lines: [deleted, expired], ends: true }
          : { lines: [] };
      }
      lists += 1;
      return lists === 1 ? listOf("5", "seen", "unseen") : listOf("9", "new");
    });
    await until("the key of what is new", () => t.sent().includes("shop/new"));
    const times = (name: string): number => t.sent().filter((key) => key === `shop/${name}`).length;
    await until("the key of what is gone", () => times("unseen") === 2);
    assert.equal(times("seen"), 2, "once because it existed, once because it was deleted");
  });

  it("spends a quiet hour on one list a kind: bookmarks move it on", async () => {
    let version = 1;
    let isOver = false;
    const asked: number[] = [];
    await using t = await setUp((request) => {
      if (!isWatch(request)) return listOf(`${version}`);
      if (!isOf("sampledbs")(request) || isOver) return { lines: [] };
      asked.push(Number(request.query.get("resourceVersion")));
      isOver = asked.length === 12;
      // As the API server does: five minutes, a bookmark in each, then an end in order.
      const lines = [1, 2, 3, 4, 5].map(() => bookmark(`${(version += 1)}`));
      return { lines, ends: true };
    });
    await until("the hour's end", () => isOver);
    assert.deepEqual(
      asked,
      asked.map((_, nth) => 1 + 5 * nth),
    );
    for (const { path } of t.fake.requests.filter(isWatch)) {
      assert.equal(t.fake.requests.filter((each) => !isWatch(each) && each.path === path).length, 1, path);
    }
    assert.deepEqual([t.sent(), t.waits], [[], []]);
  });

  it("begins a watch anew that fell silent, from where it was", async () => {
    const asked: (string | null)[] = [];
    await using t = await setUp(
      (request) => {
        if (!isWatch(request) || !isOf("sampledbs")(request)) return quiet(request);
        asked.push(request.query.get("resourceVersion"));
        return { lines: asked.length === 1 ? [bookmark("7")] : [event("ADDED", meta("orders", "8"))] };
      },
      undefined,
      { silenceMs: 1000 },
    );
    await until("the key", () => t.sent().length > 0);
    assert.deepEqual(asked.slice(0, 2), ["1", "7"]);
    assert.deepEqual(t.waits, []);
  });

  it("gives up a watch that is not even answered", async () => {
    let watches = 0;
    await using t = await setUp(
      (request) => {
        if (!isWatch(request) || !isOf("sampledbs")(request)) return quiet(request);
        watches += 1;
        return watches === 1 ? "hang" : { lines: [event("ADDED", meta("orders", "8"))] };
      },
      undefined,
      { silenceMs: 200 },
    );
    await until("the key", () => t.sent().length > 0);
    assert.ok(t.waits.length > 0);
  });

  for (const [name, text] of [
    ["half an event", '{"type":"MODIFIED","object":{"metadata":{"namespace":"shop","na'],
    ["no JSON", "<html>upstream sent too big header</html>\n"],
    ["JSON that is no event", "null\n"],
    [
      "an event without a version",
      '{"type":"ADDED","object":{"metadata":{"name":"x","namespace":"shop"}}}\n',
    ],
  ] as const) {
    it(`goes on before ${name}`, async () => {
      await using t = await setUp((request) => {
        if (!isWatch(request) || !isOf("sampledbs")(request)) return quiet(request);
        return t.waits.length === 0
          ? { lines: [event("MODIFIED", meta("orders", "7"))], text, ends: true }
          : { lines: [event("MODIFIED", meta("users", "8"))] };
      });
      await until("the key after it", () => t.sent().includes("shop/users"));
      assert.deepEqual(t.sent(), ["shop/orders", "shop/users"]);
      assert.equal(t.fake.requests.findLast(isOf("sampledbs"))?.query.get("resourceVersion"), "7");
      assert.equal(t.fake.requests.filter(listsOf("sampledbs")).length, 1);
    });
  }

  it("slows down where watches end as soon as they begin", async () => {
    await using t = await setUp((request) =>
      isWatch(request) && isOf("sampledbs")(request) ? { lines: [], ends: true } : quiet(request),
    );
    await until("four waits", () => t.waits.length >= 4);
    const [first = 0, , third = 0, fourth = 0] = t.waits;
    assert.ok(first <= 100 && third >= 200 && fourth >= 400, String(t.waits));
  });

  it("is not ready while a kind that it followed cannot be watched, and says when it can again", async () => {
    let isForbidden = false;
    await using t = await setUp(
      (request) => {
        if (!isWatch(request) || !isOf("services")(request)) return quiet(request);
        return isForbidden ? failure(403, "Forbidden") : { lines: [] };
      },
      undefined,
      { silenceMs: 100 },
    );
    await until("readiness", t.source.isReady);
    isForbidden = true;
    await until("the end of readiness", () => !t.source.isReady());
    assert.ok(t.waits.length >= 3);
    isForbidden = false;
    await until("readiness again", t.source.isReady);
    assert.equal(t.fake.requests.filter(listsOf("services")).length, 1);
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
});
