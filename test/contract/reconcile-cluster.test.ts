import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { describe, it } from "node:test";
import { apiServer } from "../../functions/shared/kube/api-server.ts";
import { deadlineIn } from "../../functions/shared/kube/deadline.ts";
import { kubeCluster } from "../../functions/shared/kube/kube-cluster.ts";
import type { ReadKind } from "../../functions/shared/kube/observed.ts";
import { failure, fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeRequest } from "../support/fake-api-server.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";

const key = { namespace: "shop", name: "orders" };
const reads = new Set<ReadKind>(["Secret", "Service", "Pod", "Job", "StatefulSet", "PersistentVolumeClaim"]);
const soon = (ms = 5000): AbortSignal => AbortSignal.timeout(ms);

/** A namespace that holds one SampleDB and no children. */
const orders = ({ path }: FakeRequest): FakeAnswer =>
  path.endsWith("/sampledbs/orders") ? { body: makeSampleDB() } : { body: { items: [] } };

const setUp = async (answer: (request: FakeRequest, nth: number) => FakeAnswer | Promise<FakeAnswer>) => {
  const fake = await fakeApiServer(answer);
  const api = apiServer(fake.readAccess);
  return {
    fake,
    api,
    [Symbol.asyncDispose]: async () => {
      api.close();
      await fake[Symbol.asyncDispose]();
    },
  };
};

describe("the cluster on an API server", () => {
  it("opens at most two connections, however much is asked at once", async () => {
    await using t = await setUp(async (request) => {
      await wait(2);
      return orders(request);
    });
    const cluster = kubeCluster(t.api, soon());
    const keys = Array.from({ length: 10 }, (_, i) => ({ ...key, name: `orders-${i}` }));
    await Promise.all(keys.map((each) => cluster.observe(each, reads)));
    await cluster.observe(key, reads);
    assert.deepEqual(t.fake.connections, { total: 2, most: 2, now: 2 });
    assert.equal(t.fake.requests.length, 11 * 7);
  });

  it("asks for children by label, and for nothing that was not asked for", async () => {
    await using t = await setUp(orders);
    const { sampledb, objects } = await kubeCluster(t.api, soon()).observe(key, new Set(["Secret"] as const));
    assert.equal(sampledb?.metadata.uid, "uid-orders");
    assert.deepEqual(objects.Secret, []);
    const asked = t.fake.requests.map(({ path, query }) => `${path} ${query.get("labelSelector") ?? ""}`);
    assert.deepEqual(asked.toSorted(), [
      "/api/v1/namespaces/shop/secrets sampledb.dev/database=orders",
      "/apis/sampledb.dev/v1/namespaces/shop/sampledbs/orders ",
    ]);
  });

  it("reads a list to its last page", async () => {
    await using t = await setUp((request) => {
      if (!request.path.endsWith("/secrets")) return orders(request);
      const isFirst = request.query.get("continue") === null;
      const items = [{ metadata: { name: isFirst ? "a" : "b" } }];
      return { body: { metadata: isFirst ? { continue: "next" } : {}, items } };
    });
    const { objects } = await kubeCluster(t.api, soon()).observe(key, new Set(["Secret"] as const));
    assert.deepEqual(objects.Secret, [
      { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "b" } },
    ]);
  });

  it("finds no SampleDB where there is none, but fails where SampleDBs are not served at all", async () => {
    await using gone = await setUp(() => failure(404, "NotFound", { name: "orders", kind: "sampledbs" }));
    assert.equal(await kubeCluster(gone.api, soon()).sampledb(key), undefined);
    await using unserved = await setUp(() => failure(404, "NotFound"));
    await assert.rejects(kubeCluster(unserved.api, soon()).sampledb(key), {
      sort: "refused",
      reason: "NotServed",
    });
  });

  const unavailable = [
    { name: "answers 503", answer: failure(503, "ServiceUnavailable") },
    { name: "answers 500", answer: failure(500, "InternalError") },
    { name: "does not accept who we are", answer: failure(401, "Unauthorized") },
    { name: "hangs", answer: "hang" },
    { name: "cuts the connection", answer: "cut" },
    { name: "is something else that talks HTML", answer: { headers: { "content-type": "text/html" } } },
  ] as const;
  for (const { name, answer } of unavailable) {
    it(`is unavailable where the server ${name}`, async () => {
      await using t = await setUp(() => answer);
      await assert.rejects(kubeCluster(t.api, soon(300)).sampledb(key), {
        name: "Fault",
        sort: "unavailable",
      });
    });
  }

  it("leaves no hanging connection behind a deadline", async () => {
    let isStuck = true;
    await using t = await setUp((request) => (isStuck ? "hang" : orders(request)));
    const late = Array.from({ length: 4 }, () => kubeCluster(t.api, soon(200)).sampledb(key));
    for (const each of await Promise.allSettled(late)) assert.equal(each.status, "rejected");
    isStuck = false;
    assert.equal((await kubeCluster(t.api, soon()).sampledb(key))?.metadata.name, "orders");
    assert.ok(t.fake.connections.most <= 2, `${t.fake.connections.most} connections at once`);
  });

  it("waits as long as an overloaded server asks, within its deadline", async () => {
    const busy: FakeAnswer = {
      ...Object(failure(429, "TooManyRequests")),
      headers: { "retry-after": "0.2" },
    };
    await using t = await setUp((request, nth) => (nth === 0 ? busy : orders(request)));
    const start = performance.now();
    assert.equal((await kubeCluster(t.api, soon()).sampledb(key))?.metadata.name, "orders");
    assert.ok(performance.now() - start >= 190);
    await using never = await setUp(() => busy);
    await assert.rejects(kubeCluster(never.api, deadlineIn(500)).sampledb(key), { sort: "unavailable" });
    assert.ok(never.fake.requests.length > 1);
  });

  it("does not wait for an overloaded server where its deadline comes first", async () => {
    const busy: FakeAnswer = {
      ...Object(failure(429, "TooManyRequests")),
      headers: { "retry-after": "3600" },
    };
    await using t = await setUp(() => busy);
    const deadline = deadlineIn(60_000);
    await assert.rejects(kubeCluster(t.api, deadline).sampledb(key), { sort: "unavailable", code: 429 });
    assert.equal(t.fake.requests.length, 1);
    assert.equal(deadline.aborted, false);
  });

  it("repeats a call whose kept connection the server had just closed", async () => {
    await using t = await setUp((request, nth) => (nth === 1 ? "cut" : orders(request)));
    const cluster = kubeCluster(t.api, soon());
    await cluster.sampledb(key);
    assert.equal((await cluster.sampledb(key))?.metadata.name, "orders");
    assert.equal(t.fake.requests.length, 3);
  });

  it("reads its token anew after it was not accepted", async () => {
    await using t = await setUp((request) =>
      request.headers.authorization === "Bearer new" ? orders(request) : failure(401, "Unauthorized"),
    );
    let token = "old";
    const { target } = await t.fake.readAccess();
    const api = apiServer(() => Promise.resolve({ target, headers: { authorization: `Bearer ${token}` } }));
    const cluster = kubeCluster(api, soon());
    await assert.rejects(cluster.sampledb(key), { code: 401 });
    token = "new";
    assert.equal((await cluster.sampledb(key))?.metadata.name, "orders");
    api.close();
  });

  describe("carrying out", () => {
    const ref = { kind: "Secret", ...key, uid: "u", resourceVersion: "1" } as const;
    const object = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "orders", namespace: "shop" },
    } as const;
    const create = { do: "create", object } as const;
    const event = { do: "create", object: { ...object, kind: "Event", involvedObject: {} } } as const;
    const merge = { do: "merge", ref, patch: {} } as const;
    const remove = { do: "delete", ref, propagation: "Background" } as const;

    const done = [
      { name: "an Event that was told already", action: event, answer: failure(409, "AlreadyExists") },
      {
        name: "a deletion of what is gone",
        action: remove,
        answer: failure(404, "NotFound", { name: "orders" }),
      },
    ];
    for (const { name, action, answer } of done) {
      it(`takes ${name} for done`, async () => {
        await using t = await setUp(() => answer);
        await kubeCluster(t.api, soon()).carryOut(action, "sampledb-provision");
        assert.equal(t.fake.requests.length, 1);
      });
    }
    const failing = [
      {
        name: "a merge of what is gone",
        action: merge,
        answer: failure(404, "NotFound", { name: "orders" }),
        sort: "conflict",
      },
      { name: "a merge of what changed", action: merge, answer: failure(409, "Conflict"), sort: "conflict" },
      {
        name: "a deletion of what changed",
        action: remove,
        answer: failure(409, "Conflict"),
        sort: "conflict",
      },
      {
        name: "a creation of what exists",
        action: create,
        answer: failure(409, "AlreadyExists"),
        sort: "conflict",
      },
      { name: "a creation over quota", action: create, answer: failure(403, "Forbidden"), sort: "refused" },
      {
        name: "a creation that a webhook refuses as an overloaded server would",
        action: create,
        answer: {
          status: 429,
          body: { kind: "Status", message: 'admission webhook "w.example.com" denied the request: later' },
        },
        sort: "refused",
      },
      {
        name: "a creation that is invalid",
        action: create,
        answer: failure(422, "Invalid"),
        sort: "refused",
      },
    ];
    for (const { name, action, answer, sort } of failing) {
      it(`sorts ${name} as ${sort}`, async () => {
        await using t = await setUp(() => answer);
        await assert.rejects(kubeCluster(t.api, soon()).carryOut(action, "sampledb-provision"), { sort });
      });
    }
  });
});
