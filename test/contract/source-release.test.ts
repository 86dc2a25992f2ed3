import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { releaseFrom } from "../../functions/shared/api/release.ts";
import { failure } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeRequest } from "../support/fake-api-server.ts";
import { until } from "../support/until.ts";
import { event, expired, isOf, isWatch, quiet, setUp } from "./source-scene.ts";

const release = releaseFrom({ NAMESPACE_SELECTOR: "sampledb.dev/release=blue" });

const namespace = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
const orders = (where: string, resourceVersion: string) => ({
  metadata: { namespace: where, name: "orders", resourceVersion },
});
const list = (resourceVersion: string, ...items: readonly object[]): FakeAnswer => ({
  body: { metadata: { resourceVersion }, items },
});

/** A change of another SampleDB. */
const late = (where: string, resourceVersion: string) =>
  event("MODIFIED", { metadata: { namespace: where, name: "late", resourceVersion } });

const namespaces = isOf("namespaces");
const sampledbs = isOf("sampledbs");

/** What is answered to lists and watches of namespaces and of SampleDBs; nothing happens to other kinds. */
type Script = Readonly<Record<"namespaces" | "sampledbs", (request: FakeRequest) => FakeAnswer>>;

const blue = (script: Script) =>
  setUp(
    (request) => {
      if (namespaces(request)) return script.namespaces(request);
      return sampledbs(request) ? script.sampledbs(request) : quiet(request);
    },
    () => ({ status: 204 }),
    { release },
  );

const inBoth = (request: FakeRequest): FakeAnswer =>
  isWatch(request) ? { lines: [] } : list("1", orders("shop", "1"), orders("bank", "1"));

describe("source of one of several releases", () => {
  it("asks first which namespaces are its own, and tells of those", async () => {
    await using t = await blue({
      namespaces: (request) => (isWatch(request) ? { lines: [] } : list("1", namespace("shop", "1"))),
      sampledbs: (request) =>
        isWatch(request)
          ? {
              lines: [
                event("MODIFIED", orders("bank", "2")),
                event("ADDED", { metadata: { namespace: "shop", name: "users", resourceVersion: "3" } }),
              ],
            }
          : inBoth(request),
    });
    await until("both of shop", () => t.sent().length === 2);
    await until("readiness", () => t.source.isReady());
    assert.deepEqual(t.sent(), ["shop/orders", "shop/users"]);
    const [first] = t.fake.requests;
    assert.equal(first?.path, "/api/v1/namespaces");
    for (const { query } of t.fake.requests.filter(namespaces))
      assert.equal(query.get("labelSelector"), "sampledb.dev/release=blue");
  });

  it("tells of every SampleDB of a namespace that becomes its own, and of none of one that no longer is", async () => {
    const watched = (is: (request: FakeRequest) => boolean, from: string): boolean =>
      t.fake.requests.some((each) => is(each) && isWatch(each) && each.query.get("resourceVersion") === from);
    const moved = [event("ADDED", namespace("bank", "5")), event("DELETED", namespace("shop", "6"))];
    await using t = await blue({
      // Once everything was listed: only the label changes.
      namespaces: (request) => {
        if (!isWatch(request)) return list("1", namespace("shop", "1"));
        const isNow = request.query.get("resourceVersion") === "1" && watched(sampledbs, "1");
        return { lines: isNow ? moved : [], ends: true };
      },
      // Once that was heard.
      sampledbs: (request) => {
        if (!isWatch(request)) return inBoth(request);
        const isNow = request.query.get("resourceVersion") === "1" && watched(namespaces, "6");
        return { lines: isNow ? [late("shop", "7"), late("bank", "8")] : [], ends: true };
      },
    });
    await until("what changed afterwards", () => t.sent().includes("bank/late"));
    assert.deepEqual(t.sent().toSorted(), ["bank/late", "bank/orders", "shop/orders"]);
  });

  it("learns of a change that a gap hid", async () => {
    let lists = 0;
    await using t = await blue({
      namespaces: (request) => {
        if (isWatch(request)) return lists === 1 ? { lines: [expired], ends: true } : { lines: [] };
        lists += 1;
        return lists === 1 ? list("1", namespace("shop", "1")) : list("9", namespace("bank", "8"));
      },
      sampledbs: inBoth,
    });
    await until("bank's", () => t.sent().includes("bank/orders"));
  });

  it("tells of nothing, and is not ready, until it may read which namespaces those are", async () => {
    let mayRead = false;
    await using t = await blue({
      namespaces: (request) => {
        if (!mayRead) return failure(403, "Forbidden");
        return isWatch(request) ? { lines: [] } : list("1", namespace("shop", "1"));
      },
      sampledbs: inBoth,
    });
    await until("several tries", () => t.fake.requests.length > 4);
    assert.ok(t.fake.requests.every(namespaces));
    assert.equal(t.source.isReady(), false);
    assert.deepEqual(t.sent(), []);
    mayRead = true;
    await until("shop's", () => t.sent().length === 1);
    assert.deepEqual(t.sent(), ["shop/orders"]);
  });

  it("ends when it is asked to before it knows", async () => {
    const t = await blue({ namespaces: () => failure(403, "Forbidden"), sampledbs: inBoth });
    await until("a try", () => t.fake.requests.length > 0);
    await t[Symbol.asyncDispose]();
  });

  it("that is the only one asks for no namespace", async () => {
    await using t = await setUp((request) => (sampledbs(request) ? inBoth(request) : quiet(request)));
    await until("both", () => t.sent().length === 2);
    await until("readiness", () => t.source.isReady());
    assert.equal(t.fake.requests.filter(namespaces).length, 0);
  });
});
