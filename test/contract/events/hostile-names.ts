import type { Message } from "./send.ts";

/** What a stranger may write where a name belongs. */
export const HOSTILE: readonly unknown[] = [
  "../../secrets/x",
  "..%2f..%2fsecrets%2fx",
  "..",
  ".",
  "%2e%2e",
  "a/b",
  "a%2Fb",
  "a\\b",
  "/",
  "//evil.example.com/",
  "orders?labelSelector=x",
  "orders?watch=true",
  "orders#x",
  "orders&limit=1",
  "orders;x",
  "a,b",
  "a=b",
  "!a",
  "*",
  " ",
  " orders",
  "orders ",
  "or ders",
  "Orders",
  "ORDERS",
  "ordérs",
  "заказы",
  "o\u0300rders",
  "ｏrders",
  "orders\u200b",
  "\ud800",
  "orders\u0000",
  "orders\n",
  "orders\nx",
  "orders\r\nx-evil: 1",
  "orders\r\n\r\nGET / HTTP/1.1",
  "orders\t",
  "a\u2028b",
  "a\u0085b",
  "a\u001b[31mb",
  "-orders",
  "orders-",
  ".orders",
  "orders.",
  "or..ders",
  "__proto__",
  "%{jndi:ldap://x}",
  "{}",
  "'\"`",
  "a".repeat(254),
  "a".repeat(10_240),
  "../".repeat(3_000),
  "",
  0,
  1,
  1e308,
  true,
  false,
  null,
  [],
  ["orders"],
  {},
  { name: "orders" },
  { toString: "orders" },
];

const ce = { "ce-id": "1", "ce-specversion": "1.0", "ce-type": "t", "ce-source": "/s" };
const json = { "content-type": "application/json" };
const whole = { specversion: "1.0", id: "1", type: "t", source: "/s" };
const DATABASE = "sampledb.dev/database";

const structured = (fields: object): Message => ({
  headers: { "content-type": "application/cloudevents+json" },
  body: JSON.stringify({ ...whole, ...fields }),
});
const binary = (data: unknown): Message => ({ headers: { ...ce, ...json }, body: JSON.stringify(data) });

/** What can stand in a header: no client sends anything else, and blanks around it are no part of it. */
const isHeader = (value: unknown): value is string =>
  typeof value === "string" && value === value.trim() && /^[\u0020-\u007e\u0080-\u00ff]*$/u.test(value);

const attributes = { ...ce, "ce-kind": "SampleDB", "ce-namespace": "shop", "ce-name": "orders" };
const header = (name: string, value: unknown): readonly Message[] =>
  isHeader(value) ? [{ headers: { ...attributes, [name]: value } }] : [];

/** Events that name a SampleDB so, in every place in which a key can stand, one place each. */
export const everyPlace = (value: unknown): readonly Message[] => [
  ...header("ce-name", value),
  ...header("ce-namespace", value),
  structured({ kind: "SampleDB", namespace: "shop", name: value }),
  structured({ kind: "SampleDB", namespace: value, name: "orders" }),
  structured({ id: typeof value === "string" ? `${value}x` : "1", subject: value, data: { a: value } }),
  binary({ kind: "SampleDB", metadata: { namespace: "shop", name: value } }),
  binary({ kind: "SampleDB", metadata: { namespace: value, name: "orders" } }),
  binary({ kind: "SampleDB", namespace: "shop", name: value }),
  binary({ kind: "Secret", namespace: "shop", name: value }),
  binary({ kind: "Pod", metadata: { namespace: "shop", labels: { [DATABASE]: value } } }),
  binary({
    kind: "PersistentVolume",
    metadata: { name: "x", labels: { [DATABASE]: "orders", "sampledb.dev/namespace": value } },
  }),
  binary({ kind: "SampleDB", metadata: value }),
  binary({ kind: value, metadata: { namespace: "shop", name: "orders", labels: value } }),
];
