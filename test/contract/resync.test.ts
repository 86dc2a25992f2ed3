import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { failure, fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeApiServer, FakeRequest } from "../support/fake-api-server.ts";
import { startFunction } from "../support/function-process.ts";

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
    assert.match(String(resync.logs.at(-1)?.["message"]), /503/u);
  });
  it("once: exits 1 when a key was not taken", async () => {
    await using api = await fakeApiServer(lists);
    await using sink = await fakeApiServer(() => ({ status: 503 }));
    await using resync = startFunction("resync", await envFor(api, sink), ["once"]);
    assert.equal(await resync.ended, 1);
    assert.equal(resync.logs.at(-1)?.["failed"], 2);
  });
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
});
