import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { failure, fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeApiServer, FakeRequest } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";

const labelled = (name: string, database: string) => ({
  metadata: { namespace: "shop", name, labels: { "sampledb.dev/database": database } },
});
const items: Readonly<Record<string, readonly object[]>> = {
  sampledbs: [{ metadata: { namespace: "shop", name: "orders" } }],
  persistentvolumeclaims: [labelled("orders-1-1", "orders"), labelled("gone-1-1", "gone")],
  secrets: [labelled("gone", "gone")],
};
const lists = ({ path }: FakeRequest): FakeAnswer => ({
  body: { items: items[path.split("/").at(-1) ?? ""] ?? [] },
});

const sentTo = (sink: FakeApiServer): readonly string[] =>
  sink.requests
    .map(({ headers }) => `${String(headers["ce-namespace"])}/${String(headers["ce-name"])}`)
    .toSorted();

describe("resync", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "sampledb-resync-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  /** Environment of a process that reads from `api` and sends to `sink`. */
  const envFor = async (api: FakeApiServer, sink: FakeApiServer): Promise<Record<string, string>> => {
    const file = join(folder, `${new URL(api.url).port}.kubeconfig`);
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster: { server: api.url } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    };
    await writeFile(file, JSON.stringify(config));
    return { KUBECONFIG: file, SINK: sink.url };
  };
  it("once: sends every SampleDB and every orphan, each once, and exits 0", async () => {
    await using api = await fakeApiServer(lists);
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    await using resync = startFunction("resync", await envFor(api, sink), ["once"]);
    assert.equal(await resync.ended, 0, resync.stderr());
    assert.deepEqual(sentTo(sink), ["shop/gone", "shop/orders"]);
    assert.equal(api.requests[0]?.headers.authorization, "Bearer t");
    assert.equal(sink.requests[0]?.headers["ce-type"], "dev.sampledb.resync.tick");
    // What outlived its SampleDB on purpose is no orphan.
    const orphans = "sampledb.dev/database,sampledb.dev/retained!=true";
    const selectors = api.requests.map(({ query }) => query.get("labelSelector"));
    assert.deepEqual(selectors, [null, orphans, orphans, orphans]);
  });
  it("once for a namespace: lists there alone", async () => {
    await using api = await fakeApiServer(lists);
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    await using resync = startFunction("resync", await envFor(api, sink), ["once", "shop"]);
    assert.equal(await resync.ended, 0, resync.stderr());
    for (const { path } of api.requests) assert.match(path, /\/namespaces\/shop\//u);
  });
  it("once for a SampleDB: sends its key and reads nothing", async () => {
    await using api = await fakeApiServer(lists);
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    await using resync = startFunction("resync", await envFor(api, sink), ["once", "shop/users"]);
    assert.equal(await resync.ended, 0, resync.stderr());
    assert.deepEqual(sentTo(sink), ["shop/users"]);
    assert.equal(api.requests.length, 0);
  });
  it("once: exits 1 when the API server cannot be read", async () => {
    await using api = await fakeApiServer(() => failure(503, "ServiceUnavailable"));
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    await using resync = startFunction("resync", await envFor(api, sink), ["once"]);
    assert.equal(await resync.ended, 1);
    assert.match(String(resync.logs.at(0)?.["message"]), /503/u);
    assert.equal(sink.requests.length, 0);
  });
  it("once: sends the others and exits 1 when a key was not taken, and says which", async () => {
    await using api = await fakeApiServer(lists);
    await using sink = await fakeApiServer(({ headers }) => ({
      status: headers["ce-name"] === "gone" ? 503 : 204,
    }));
    await using resync = startFunction("resync", await envFor(api, sink), ["once"]);
    assert.equal(await resync.ended, 1);
    const { message, level, sent, failed, missed } = resync.logs.at(-1) ?? {};
    assert.deepEqual(
      { message, level, sent, failed, missed },
      { message: "swept", level: "error", sent: 1, failed: 1, missed: "shop/gone" },
    );
  });
  it("once: visits what it may list where a list is refused, and exits 1", async () => {
    await using api = await fakeApiServer((request) =>
      request.path.endsWith("/secrets") ? failure(403, "Forbidden") : lists(request),
    );
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    await using resync = startFunction("resync", await envFor(api, sink), ["once"]);
    assert.equal(await resync.ended, 1);
    assert.deepEqual(sentTo(sink), ["shop/gone", "shop/orders"]);
    const unread = resync.logs.find(({ outcome }) => outcome === "unread");
    assert.match(String(unread?.["message"]), /secrets: 403/u);
  });
  it("once: takes its scope from SCOPE too, for Jobs that are made from the CronJob", async () => {
    await using api = await fakeApiServer(lists);
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    const env = { ...(await envFor(api, sink)), SCOPE: "shop/users" };
    await using resync = startFunction("resync", env, ["once"]);
    assert.equal(await resync.ended, 0, resync.stderr());
    assert.deepEqual(sentTo(sink), ["shop/users"]);
  });
  const wrong = [
    { args: ["once", "a/b/c"], names: '"a/b/c"' },
    { args: ["once", ""], names: '""' },
    { args: ["once", "shop", "orders"], names: '"shop","orders"' },
    { args: ["all"], names: '"all"' },
  ];
  for (const { args, names } of wrong) {
    it(`exits 2 with a sentence that names what is wrong and what would be right: ${args.join(" ")}`, async () => {
      await using resync = startFunction("resync", {}, args);
      assert.equal(await resync.ended, 2, resync.stderr());
      const message = String(resync.logs.at(-1)?.["message"]);
      assert.ok(message.includes(names), message);
      assert.match(message, /shop\/orders|namespace\[\/name\]/u);
    });
  }

  it("once: exits 1 with a sentence when it is not told where to send", async () => {
    await using resync = startFunction("resync", {}, ["once"]);
    assert.equal(await resync.ended, 1);
    assert.match(String(resync.logs.at(-1)?.["message"]), /^SINK is not set/u);
  });

  it("as a function: sweeps for a bare POST, joins sweeps that overlap, ends in order", async () => {
    const released = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await using api = await fakeApiServer(async (request) => {
      asked.resolve();
      await released.promise;
      return lists(request);
    });
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    await using resync = startFunction("resync", await envFor(api, sink));
    const url = await resync.url();
    const post = (): Promise<Response> => fetch(url, { method: "POST" });
    const both = [post(), post()];
    await asked.promise;
    // Both have arrived when a later request is answered.
    for (const _ of [1, 2]) assert.equal((await fetch(`${url}/healthz`)).status, 200);
    // Ends while it works: what is in flight is finished.
    resync.kill("SIGTERM");
    released.resolve();
    for (const answer of await Promise.all(both)) {
      assert.equal(answer.status, 204);
      assert.equal(await answer.text(), "");
    }
    assert.equal(await resync.ended, 0, resync.stderr());
    assert.deepEqual(sentTo(sink), ["shop/gone", "shop/orders"]);
    await assert.rejects(post());
  });

  const hints = [
    { name: "a SampleDB", kind: "SampleDB", of: "users", sent: ["shop/users"], reads: 0 },
    { name: "a child", kind: "StatefulSet", of: "a-1", sent: ["shop/a", "shop/a-1"], reads: 0 },
    { name: "nothing that has a key", kind: "Timer", of: "a", sent: ["shop/gone", "shop/orders"], reads: 4 },
  ];
  for (const { name, kind, of, sent, reads } of hints) {
    it(`as a function: sends ${sent.join(" and ")} for an event that names ${name}`, async () => {
      await using api = await fakeApiServer(lists);
      await using sink = await fakeApiServer(() => ({ status: 204 }));
      await using resync = startFunction("resync", await envFor(api, sink));
      const ce = {
        "ce-id": "1",
        "ce-specversion": "1.0",
        "ce-type": "dev.example.hand",
        "ce-source": "/hand",
      };
      const headers = { ...ce, "ce-kind": kind, "ce-namespace": "shop", "ce-name": of };
      assert.equal((await fetch(await resync.url(), { method: "POST", headers })).status, 204);
      assert.deepEqual(sentTo(sink), sent);
      assert.equal(api.requests.length, reads);
    });
  }

  it("as a function: answers 503 where the API server cannot be used", async () => {
    await using api = await fakeApiServer(() => failure(503, "ServiceUnavailable"));
    await using sink = await fakeApiServer(() => ({ status: 204 }));
    await using resync = startFunction("resync", await envFor(api, sink));
    assert.equal((await fetch(await resync.url(), { method: "POST" })).status, 503);
  });

  it("once: visits every key although each sweep is killed halfway, within a bounded number of ticks", async () => {
    const [count, least] = [60, 30];
    const names = Array.from({ length: count }, (_, i) => `db-${i}`);
    const sampledbs = names.map((name) => ({ metadata: { namespace: "shop", name } }));
    await using api = await fakeApiServer(({ path }) => ({
      body: { items: path.endsWith("/sampledbs") ? sampledbs : [] },
    }));
    const visited = new Set<string>();
    let left = 0;
    let running: FunctionProcess | undefined;
    await using sink = await fakeApiServer(({ headers }) => {
      left -= 1;
      if (left < 0) return "hang";
      visited.add(String(headers["ce-name"]));
      if (left === 0) running?.kill("SIGKILL");
      return { status: 204 };
    });
    const env = await envFor(api, sink);
    const most = (2 * count) / least + 1;
    let ticks = 0;
    for (; visited.size < count && ticks < most; ticks += 1) {
      left = least + ((ticks * 7) % 20);
      // The clock of that process, as many minutes on.
      const clock = `const now = Date.now; Date.now = () => now() + ${ticks * 60_000};`;
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(clock)}`;
      await using resync = startFunction("resync", { ...env, NODE_OPTIONS }, ["once"]);
      running = resync;
      await resync.ended;
    }
    assert.equal(visited.size, count, `${visited.size} of ${count} in ${ticks} ticks`);
    assert.ok(ticks > 1, "none was cut short");
  });
});
