import { gzipSync } from "node:zlib";
import type { Message } from "./send.ts";

/** What no sender should send: nothing of it is acted upon. */
export type Refusal = {
  readonly name: string;
  readonly message: Message;
  readonly want: 400 | 405;
  /** Whether it is refused before it is known to be a request. */
  readonly isNoRequest?: true;
};

const ce = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "t", "ce-source": "/s" };
const orders = { ...ce, "ce-kind": "SampleDB", "ce-namespace": "shop", "ce-name": "orders" };
const json = { "content-type": "application/json" };
const structured = { "content-type": "application/cloudevents+json" };
const batch = { "content-type": "application/cloudevents-batch+json" };
const whole = {
  specversion: "1.0",
  id: "1",
  type: "t",
  source: "/s",
  kind: "SampleDB",
  namespace: "shop",
  name: "orders",
};
const object = JSON.stringify({ kind: "SampleDB", metadata: { namespace: "shop", name: "orders" } });
const HUGE = JSON.stringify({
  kind: "SampleDB",
  metadata: { namespace: "shop", name: "orders" },
  spec: "x".repeat(5 * 2 ** 20),
});

const text = (event: object): string => JSON.stringify(event);
const without = (name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));

const malformed: Readonly<Record<string, Message>> = {
  "a content type but no body": { headers: { ...orders, ...json } },
  "a structured content type but no body": { headers: structured },
  "a form": { headers: { ...orders, "content-type": "application/x-www-form-urlencoded" }, body: "a=b" },
  "plain text": { headers: { ...orders, "content-type": "text/plain" }, body: object },
  "XML in an event": { headers: { ...orders, "content-type": "application/xml" }, body: "<a/>" },
  "a body without content type": { headers: orders, body: object },
  "JSON that is no event": { headers: json, body: object },
  "no JSON": { headers: { ...orders, ...json }, body: "{" },
  "no JSON in structured mode": { headers: structured, body: "{" },
  "structured mode in another format": {
    headers: { "content-type": "application/cloudevents+avro" },
    body: "x",
  },
  "a batch": { headers: batch, body: text([whole]) },
  "an empty batch": { headers: batch, body: "[]" },
  "a list in structured mode": { headers: structured, body: text([whole]) },
  "null in structured mode": { headers: structured, body: "null" },
  "specversion 0.3": { headers: { ...orders, "ce-specversion": "0.3" } },
  "specversion 2.0": { headers: { ...orders, "ce-specversion": "2.0" } },
  "no specversion": { headers: { ...orders, "ce-specversion": "" } },
  "two specversions": { headers: { ...orders, "ce-specversion": ["1.0", "1.0"] } },
  "structured specversion 0.3": { headers: structured, body: text({ ...whole, specversion: "0.3" }) },
  "structured specversion 1": { headers: structured, body: text({ ...whole, specversion: 1 }) },
  "structured without specversion": { headers: structured, body: text(without("specversion")) },
  "structured without type": { headers: structured, body: text(without("type")) },
  "structured without source": { headers: structured, body: text(without("source")) },
  "structured without id": { headers: structured, body: text(without("id")) },
  "no id": { headers: { ...orders, "ce-id": "" } },
  "no type": { headers: { ...orders, "ce-type": "" } },
  "attributes of the wrong type": { headers: structured, body: text({ ...whole, source: 1, type: [] }) },
  "an attribute that hides a method": { headers: { ...orders, "ce-validate": "x" } },
  "a body of more than 4 MiB": { headers: { ...ce, ...json }, body: HUGE },
  "a structured body of more than 4 MiB": { headers: structured, body: `{"data":${HUGE}}` },
  "a body of more than 4 MiB once it is unpacked": {
    headers: { ...ce, ...json, "content-encoding": "gzip", "content-length": gzipSync(HUGE).length },
    body: gzipSync(HUGE),
  },
  "a body that says it is packed and is not": {
    headers: { ...ce, ...json, "content-encoding": "gzip" },
    body: object,
  },
  "an unknown packing": { headers: { ...ce, ...json, "content-encoding": "x".repeat(5000) }, body: object },
  "a body that is no text": {
    headers: { ...ce, ...json },
    body: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x80]),
  },
  "JSON in UTF-16": { headers: { ...ce, ...json }, body: Buffer.from(object, "utf16le") },
};

const noRequests: Readonly<Record<string, (path: string) => string>> = {
  "a bad request line": () => "POST\r\n\r\n",
  "a header that is none": (path) => `POST ${path} HTTP/1.1\r\nhost: a\r\nno header\r\n\r\n`,
  "a NUL in a header": (path) => `POST ${path} HTTP/1.1\r\nhost: a\r\nce-name: a\0b\r\n\r\n`,
  "two lengths": (path) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab`,
};

const attributes = Object.entries(orders).map(([name, value]) => `${name}: ${value}\r\n`);
/** Byte for byte: a client would tidy the path up. */
const at = (path: string): Message => ({
  bytes: () =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n${attributes.join("")}\r\n`,
});

const paths = [
  "/nothing",
  "//",
  "/provision/",
  "/%zz",
  "/%2e%2e/",
  "/..%2fhealthz",
  "/healthz/",
  "/*",
  "/PROVISION",
  `/${"a".repeat(10_000)}`,
];

/** Table of refusals, by name. */
export const REFUSALS: readonly Refusal[] = [
  ...Object.entries(malformed).map(([name, message]) => ({ name, message, want: 400 as const })),
  ...Object.entries(noRequests).map(([name, bytes]) => ({
    name,
    message: { bytes },
    want: 400 as const,
    isNoRequest: true as const,
  })),
  ...paths.map((path) => ({
    name: `an event at ${path.slice(0, 20)}`,
    message: at(path),
    want: 400 as const,
  })),
  ...["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].map((method) => ({
    name: method,
    message: { method, headers: orders },
    want: 405 as const,
  })),
  { name: "an event at /healthz", message: at("/healthz"), want: 405 },
  { name: "an event at /metrics", message: at("/metrics"), want: 405 },
];
