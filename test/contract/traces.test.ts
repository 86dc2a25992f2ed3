import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import { fakeApiServer, failure } from "../support/fake-api-server.ts";
import type { FakeAnswer, FakeRequest } from "../support/fake-api-server.ts";
import { fakeCollector } from "../support/fake-collector.ts";
import type { SentSpan } from "../support/fake-collector.ts";
import { startFunction } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";
import { kubeconfigFor } from "../support/kubeconfig-for.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";
import { until } from "../support/until.ts";

/** A SampleDB that lacks its finalizer, and nothing else. */
const cluster = ({ path, query, method }: FakeRequest): FakeAnswer => {
  if (query.get("watch") === "true") return { lines: [] };
  const orders = makeSampleDB({ metadata: { finalizers: [] } });
  if (path.endsWith("/sampledbs/orders")) return { body: orders };
  if (method !== "GET") return { body: {} };
  return { body: { metadata: { resourceVersion: "1" }, items: path.endsWith("/sampledbs") ? [orders] : [] } };
};

const EVENT = {
  "ce-id": "e-1",
  "ce-specversion": "1.0",
  "ce-type": "com.example.changed",
  "ce-source": "/s",
  "ce-kind": "SampleDB",
  "ce-namespace": "shop",
  "ce-name": "orders",
};
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

/** Only what is left at the end is sent, so that every test sees the flush. */
const traced = (url: string): Readonly<Record<string, string>> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: "600000",
});

const lineOf = ({ logs }: FunctionProcess, message: string) =>
  logs.find((line) => line["message"] === message);

const find = (spans: readonly SentSpan[], name: string, parent?: SentSpan): SentSpan => {
  const found = spans.find(
    (span) => span.name === name && (parent === undefined || span.parentSpanId === parent.spanId),
  );
  assert.ok(found, `${name} below ${parent?.name}: ${spans.map((span) => span.name).join(", ")}`);
  return found;
};

const stopped = async (functions: readonly FunctionProcess[]): Promise<void> => {
  for (const each of functions) {
    each.kill("SIGTERM");
    assert.equal(await each.ended, 0, each.stderr());
  }
};

const reconcileWith = async (
  env: Readonly<Record<string, string>>,
  events: readonly Readonly<Record<string, string>>[],
) => {
  await using api = await fakeApiServer(cluster);
  using kubeconfig = kubeconfigFor(api.url);
  await using reconcile = startFunction("reconcile", { KUBECONFIG: kubeconfig.file, ...env });
  const url = await reconcile.url();
  for (const headers of events) assert.equal((await fetch(url, { method: "POST", headers })).status, 204);
  await stopped([reconcile]);
  return { reconcile, requests: api.requests };
};

describe("traces", () => {
  it("lead from source's event through reconcile's pass to each call of the API server, and are all sent before the end", async () => {
    await using api = await fakeApiServer(cluster);
    await using collector = await fakeCollector();
    using kubeconfig = kubeconfigFor(api.url);
    const env = { KUBECONFIG: kubeconfig.file, ...traced(collector.url) };
    await using reconcile = startFunction("reconcile", env);
    await using source = startFunction("source", { ...env, SINK: await reconcile.url() });
    await until("a delivery", () => lineOf(source, "delivered"));
    await stopped([source, reconcile]);

    const spans = collector.spans();
    // On a busy machine a pass may take too long, and its event comes again.
    const sent = find(
      spans.filter(({ attributes }) => attributes["sampledb.outcome"] !== "again"),
      "send event",
    );
    assert.deepEqual([sent.service, sent.kind, sent.parentSpanId], ["sampledb-source", 4, undefined]);
    const trace = spans.filter(({ traceId }) => traceId === sent.traceId);
    const handled = find(trace, "handle event", sent);
    assert.deepEqual([handled.service, handled.kind], ["sampledb-reconcile", 5]);
    const pass = find(trace, "pass", handled);
    const read = find(trace, "GET sampledbs", find(trace, "observe", pass));
    assert.equal(read.kind, 3);
    assert.equal(
      read.attributes["url.template"],
      "/apis/sampledb.dev/v1/namespaces/{namespace}/sampledbs/{name}",
    );
    assert.equal(read.attributes["http.response.status_code"], 200);
    assert.equal(find(trace, "plan provision", pass).attributes["sampledb.actions"], 1);
    find(trace, "PATCH sampledbs", find(trace, "carry out provision", pass));

    // The API server could go on with it.
    const request = api.requests.find(({ method, path }) => method === "GET" && path.endsWith("/orders"));
    assert.equal(request?.headers["traceparent"], `00-${read.traceId}-${read.spanId}-01`);

    // Both sides' lines are joined with it.
    const id = sent.attributes["cloudevents.event_id"];
    for (const [fn, message] of [
      [source, "delivered"],
      [reconcile, "changed SampleDB orders"],
      [reconcile, "event"],
    ] as const) {
      const line = fn.logs.find((each) => each["message"] === message && each["id"] === id);
      assert.equal(line?.["trace"], sent.traceId);
      assert.equal(line["key"], "shop/orders");
    }
    assert.equal(handled.attributes["cloudevents.event_id"], id);
    assert.equal(handled.attributes["sampledb.outcome"], "settled");

    // The key is the only name.
    for (const { attributes, name } of spans) {
      const { "sampledb.key": key = "shop/orders", ...others } = attributes;
      assert.equal(key, "shop/orders");
      assert.doesNotMatch(JSON.stringify([name, others]), /orders|shop|uid/u);
    }
  });

  const carriers = [
    { what: "an event in binary mode", headers: { ...EVENT, "ce-traceparent": PARENT } },
    {
      what: "an event whose request has another trace",
      headers: {
        ...EVENT,
        "ce-traceparent": PARENT,
        traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01`,
      },
    },
    { what: "a request, where the event says nothing", headers: { ...EVENT, traceparent: PARENT } },
  ];
  it("go on from an event in either mode, else from its request; and not from nonsense", async () => {
    await using collector = await fakeCollector();
    const ids = carriers.map((_, nth) => `e-${nth}`);
    const nonsense = {
      ...EVENT,
      "ce-id": "nonsense",
      "ce-traceparent": "00-x\u00e9-y",
      "ce-tracestate": "=,=",
    };
    const events = carriers.map(({ headers }, nth) => ({ ...headers, "ce-id": ids[nth] ?? "" }));
    await reconcileWith(traced(collector.url), [...events, nonsense]);
    const traceOf = (id: string): string | undefined =>
      collector.spans().find(({ attributes }) => attributes["cloudevents.event_id"] === id)?.traceId;
    for (const [nth, { what }] of carriers.entries()) assert.equal(traceOf(ids[nth] ?? ""), TRACE, what);
    assert.match(traceOf("nonsense") ?? "", /^[0-9a-f]{32}$/u);
    assert.notEqual(traceOf("nonsense"), TRACE);
  });

  it("go on from an event in structured mode", async () => {
    await using collector = await fakeCollector();
    await using api = await fakeApiServer(() => failure(404, "NotFound", { name: "orders" }));
    using kubeconfig = kubeconfigFor(api.url);
    await using reconcile = startFunction("reconcile", {
      KUBECONFIG: kubeconfig.file,
      ...traced(collector.url),
    });
    const event = { specversion: "1.0", id: "e", type: "t", source: "/s", traceparent: PARENT };
    const { status } = await fetch(await reconcile.url(), {
      method: "POST",
      headers: { "content-type": "application/cloudevents+json" },
      body: JSON.stringify({ ...event, kind: "SampleDB", namespace: "shop", name: "orders" }),
    });
    assert.equal(status, 204);
    await stopped([reconcile]);
    assert.equal(find(collector.spans(), "handle event").traceId, TRACE);
  });

  it("obey the standard's variables: service, resource, headers, sampler", async () => {
    await using collector = await fakeCollector();
    const env = {
      ...traced(collector.url),
      OTEL_SERVICE_NAME: "databases",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
      OTEL_EXPORTER_OTLP_HEADERS: "x-scope=shop",
      OTEL_TRACES_SAMPLER: "parentbased_always_off",
    };
    await reconcileWith(env, [EVENT, { ...EVENT, "ce-traceparent": PARENT }]);
    const spans = collector.spans();
    assert.deepEqual([...new Set(spans.map(({ traceId }) => traceId))], [TRACE]);
    assert.equal(spans[0]?.service, "databases");
    const [request] = collector.requests;
    assert.equal(request?.path, "/v1/traces");
    assert.equal(request.headers["x-scope"], "shop");
    assert.match(request.body, /"deployment\.environment"/u);
  });

  it("are not made, nor is anything sent on, where no collector is named", async () => {
    const { reconcile, requests } = await reconcileWith({}, [{ ...EVENT, "ce-traceparent": PARENT }]);
    assert.equal(lineOf(reconcile, "event")?.["trace"], undefined);
    for (const { headers } of requests) assert.equal(headers["traceparent"], undefined);
  });

  it("hold up neither work nor the end where the collector hangs", async () => {
    await using collector = await fakeCollector(() => "hang");
    const env = { ...traced(collector.url), OTEL_BSP_SCHEDULE_DELAY: "10" };
    const { reconcile } = await reconcileWith(env, [EVENT, EVENT]);
    assert.equal(reconcile.logs.filter((line) => line["message"] === "event").length, 2);
    assert.ok(collector.requests.length > 0);
  });

  it("hold up neither work nor the end where the collector is down, which is told", async () => {
    const closed = createServer().listen(0);
    await once(closed, "listening");
    const address = closed.address();
    closed.close();
    const env = {
      ...traced(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`),
      OTEL_BSP_SCHEDULE_DELAY: "10",
      OTEL_EXPORTER_OTLP_TIMEOUT: "200",
    };
    await using api = await fakeApiServer(cluster);
    using kubeconfig = kubeconfigFor(api.url);
    await using reconcile = startFunction("reconcile", { KUBECONFIG: kubeconfig.file, ...env });
    const url = await reconcile.url();
    const post = async (): Promise<number> => (await fetch(url, { method: "POST", headers: EVENT })).status;
    assert.equal(await post(), 204);
    await until("a line", () =>
      reconcile.logs.some(({ message }) => String(message).startsWith("traces are not delivered")),
    );
    assert.equal(await post(), 204);
    await stopped([reconcile]);
  });
});
