import { httpSink } from "../../../functions/shared/serve/sink.ts";
import { fakeApiServer } from "../../support/fake-api-server.ts";
import { CHILD, recorded, SAMPLEDB } from "./recorded.ts";
import type { Message } from "./send.ts";

/** What a sender sends, and the SampleDBs that may be looked at for it. */
export type Style = { readonly name: string; readonly message: Message; readonly keys: readonly string[] };

/** What `resync` and `source` send for shop/orders. */
const sentByUs = async (type: string): Promise<Message> => {
  await using sink = await fakeApiServer(() => ({ status: 204 }));
  const { deliver, close } = httpSink(new URL(sink.url), type, 1);
  await deliver({ namespace: "shop", name: "orders" });
  close();
  const { host: _host, connection: _connection, ...headers } = sink.requests[0]?.headers ?? {};
  return { headers, body: sink.requests[0]?.body ?? "" };
};

const ce = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "com.example.unknown", "ce-source": "/s" };
const json = { "content-type": "application/json" };
const whole = { specversion: "1.0", id: "1", type: "com.example.unknown", source: "/s" };
const orders = (padding = "") => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { namespace: "shop", name: "orders" },
  spec: { padding },
});
const pod = {
  kind: "Pod",
  metadata: { namespace: "shop", name: "x", labels: { "sampledb.dev/database": "orders" } },
};
const volume = {
  kind: "PersistentVolume",
  metadata: {
    name: "pv",
    labels: { "sampledb.dev/database": "orders", "sampledb.dev/namespace": "shop" },
  },
};

const structured = (event: object, contentType = "application/cloudevents+json"): Message => ({
  headers: { "content-type": contentType },
  body: JSON.stringify(event),
});
const binary = (data: unknown, contentType = "application/json"): Message => ({
  headers: { ...ce, "content-type": contentType },
  body: JSON.stringify(data),
});

/** As the connector of OpenFaaS knocks, through the gateway. */
const cron: Message = {
  headers: {
    "user-agent": "openfaas/cron-connector",
    "x-connector": "connector-sdk openfaas/cron-connector",
    "x-topic": "cron-function",
    "x-call-id": "0b5a1e4c-5c1f-4b5e-9d0e-6f1f3c1c8a10",
    "x-start-time": "1767225600000000000",
    "x-forwarded-for": "10.0.0.1:41000",
    "x-forwarded-host": "gateway.openfaas:8080",
    "accept-encoding": "gzip",
  },
};

const one = ["shop/orders"];
const ofKnative = ["add", "update", "delete"].flatMap((verb): readonly Style[] => [
  {
    name: `Knative's source in Resource mode, ${verb}`,
    message: recorded(`apiserver.resource.${verb}`, SAMPLEDB),
    keys: one,
  },
  {
    name: `Knative's source in Reference mode, ${verb}`,
    message: recorded(`apiserver.ref.${verb}`, SAMPLEDB),
    keys: one,
  },
]);

/** Every way in which an event reaches a function. */
export const STYLES: readonly Style[] = [
  ...ofKnative,
  {
    name: "Knative's source in Reference mode, a child by its name",
    message: recorded("apiserver.ref.add.owned-child", CHILD),
    keys: ["shop/orders-superuser", ...one],
  },
  {
    name: "Knative's source, a stranger's kind as recorded",
    message: recorded("apiserver.resource.add"),
    keys: [],
  },
  { name: "Knative's PingSource", message: recorded("ping"), keys: [] },
  { name: "the cron connector of OpenFaaS", message: cron, keys: [] },
  { name: "resync's own event", message: await sentByUs("resync.tick"), keys: one },
  { name: "source's own event", message: await sentByUs("source.changed"), keys: one },
  { name: "binary mode, an object", message: binary(orders()), keys: one },
  { name: "binary mode, a child by its label", message: binary(pod), keys: one },
  { name: "binary mode, a volume by its labels", message: binary(volume), keys: one },
  {
    name: "binary mode, as large as the API server takes",
    message: binary(orders("x".repeat(3 * 2 ** 20))),
    keys: one,
  },
  {
    name: "binary mode, a charset in capitals",
    message: binary(orders(), "Application/JSON; Charset=UTF-8"),
    keys: one,
  },
  {
    name: "binary mode, JSON by suffix",
    message: binary(orders(), "application/vnd.example+json"),
    keys: one,
  },
  { name: "binary mode, an unknown type without a key", message: binary({ a: 1 }), keys: [] },
  {
    name: "binary mode, attributes alone",
    message: { headers: { ...ce, "ce-kind": "SampleDB", "ce-namespace": "shop", "ce-name": "orders" } },
    keys: one,
  },
  {
    name: "binary mode, header names in odd case",
    message: {
      headers: {
        "CE-Id": "1",
        "cE-sPeCvErSiOn": "1.0",
        "Ce-Type": "t",
        "CE-SOURCE": "/s",
        "Content-TYPE": json["content-type"],
      },
      body: JSON.stringify(orders()),
    },
    keys: one,
  },
  { name: "structured mode, an object", message: structured({ ...whole, data: orders() }), keys: one },
  {
    name: "structured mode, a charset in capitals",
    message: structured({ ...whole, data: orders() }, "application/CloudEvents+JSON; charset=UTF-8"),
    keys: one,
  },
  {
    name: "structured mode, attributes alone",
    message: structured({ ...whole, kind: "SampleDB", namespace: "shop", name: "orders" }),
    keys: one,
  },
  { name: "structured mode, without a key", message: structured({ ...whole, data: [1] }), keys: [] },
];
