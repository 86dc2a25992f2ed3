import type { Style } from "./wire-styles.ts";

const ce = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "t", "ce-source": "/s" };
const orders = { ...ce, "ce-kind": "SampleDB", "ce-namespace": "shop", "ce-name": "orders" };
const json = { "content-type": "application/json" };
const structured = { "content-type": "application/cloudevents+json" };
const whole = { specversion: "1.0", id: "1", type: "t", source: "/s" };
const one = ["shop/orders"];
const object = '{"kind":"SampleDB","metadata":{"namespace":"shop","name":"orders"}';

const nested = (open: string, close: string): string => `${open.repeat(200_000)}1${close.repeat(200_000)}`;

/** Valid events of a kind that breaks servers. */
export const ODDITIES: readonly Style[] = [
  {
    name: "an attribute sent twice",
    message: { headers: { ...orders, "ce-name": ["orders", "users"] } },
    keys: [],
  },
  {
    name: "a content type sent twice, of which the first counts",
    message: {
      // Node's types know one of it alone.
      headers: { ...ce, ...Object.fromEntries([["content-type", ["application/json", "text/plain"]]]) },
      body: `${object}}`,
    },
    keys: one,
  },
  { name: "malformed percent-encoding", message: { headers: { ...orders, "ce-name": "%zz%" } }, keys: [] },
  {
    name: "percent-encoding, which is not undone",
    message: { headers: { ...orders, "ce-name": "%6frders" } },
    keys: [],
  },
  {
    name: "a query",
    message: {
      bytes: (path) =>
        `POST ${path}?a=%zz&b HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    },
    keys: [],
  },
  {
    name: "a subject that names another",
    message: { headers: { ...orders, "ce-subject": "/api/v1/namespaces/kube-system/secrets/x" } },
    keys: one,
  },
  {
    name: "bytes that are no UTF-8, beside the key",
    message: {
      headers: { ...ce, ...json },
      body: Buffer.concat([Buffer.from(`${object},"spec":"`), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]),
    },
    keys: one,
  },
  {
    name: "bytes that are no UTF-8, in the name",
    message: {
      headers: { ...ce, ...json },
      body: Buffer.from('{"kind":"SampleDB","metadata":{"namespace":"shop","name":"a\xff"}}', "latin1"),
    },
    keys: [],
  },
  {
    name: "deeply nested lists",
    message: { headers: { ...ce, ...json }, body: `${object},"spec":${nested("[", "]")}}` },
    keys: one,
  },
  {
    name: "deeply nested objects",
    message: {
      headers: structured,
      body: `{${JSON.stringify(whole).slice(1, -1)},"data":${object},"spec":${nested('{"a":', "}")}}}`,
    },
    keys: one,
  },
  {
    name: "an object nested in place of a name",
    message: {
      headers: { ...ce, ...json },
      body: `{"kind":"SampleDB","metadata":{"namespace":"shop","name":${nested("[", "]")}}}`,
    },
    keys: [],
  },
  {
    name: "a key in __proto__",
    message: {
      headers: { ...ce, ...json },
      body: '{"kind":"SampleDB","__proto__":{"namespace":"shop","name":"orders"},"metadata":{"__proto__":{"namespace":"shop","name":"orders"}}}',
    },
    keys: [],
  },
  {
    name: "an event in __proto__",
    message: {
      headers: structured,
      body: `{${JSON.stringify(whole).slice(1, -1)},"__proto__":{"kind":"SampleDB","namespace":"shop","name":"orders","data":{"kind":"SampleDB","namespace":"shop","name":"orders"}}}`,
    },
    keys: [],
  },
  {
    name: "attributes called like an object's own parts",
    message: { headers: { ...orders, "ce-__proto__": "x", "ce-constructor": "x", "ce-tostring": "x" } },
    keys: one,
  },
  {
    name: "data in base64",
    message: {
      headers: structured,
      body: JSON.stringify({
        ...whole,
        data_base64: Buffer.from(`${object}}`.padEnd(2 ** 20)).toString("base64"),
      }),
    },
    keys: [],
  },
  {
    name: "a thousand attributes",
    message: {
      headers: structured,
      body: JSON.stringify({
        ...whole,
        ...Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, "x"])),
        kind: "SampleDB",
        namespace: "shop",
        name: "orders",
      }),
    },
    keys: one,
  },
  { name: "data that is a number", message: { headers: { ...orders, ...json }, body: "0" }, keys: one },
  { name: "data that is null", message: { headers: { ...orders, ...json }, body: "null" }, keys: one },
  {
    name: "a name of 63 characters",
    message: { headers: { ...orders, "ce-name": "a".repeat(63) } },
    keys: [`shop/${"a".repeat(63)}`],
  },
];
