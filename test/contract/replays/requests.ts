import type { OutgoingHttpHeaders } from "node:http";
import { makeReview } from "../../support/make-review.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { cronTick } from "../../support/openfaas/cron-connector.ts";
import { headersFor } from "../events/call.ts";
import { CHILD, RECORDED, recorded, SAMPLEDB } from "../events/recorded.ts";
import type { Recorded } from "../events/recorded.ts";
import type { Message } from "../events/send.ts";

/** What a request is to those who may get it: an event that names SampleDBs, one that names none, a review, neither, or no work. */
type Kind = "event" | "tick" | "review" | "nonsense" | "look";

/** A request as a sender makes it, to be sent to where the work of a function is. */
export type Replay = {
  readonly name: string;
  readonly kind: Kind;
  /** The SampleDBs that an event names. */
  readonly keys: readonly string[];
  readonly message: Message;
  /** Appended to the path. */
  readonly query?: string;
};

const ERROR = /^ce-knativeerror/u;
const BROKER = new Set(["ce-knativearrivaltime", "ce-knativebrokerttl", "prefer"]);
const chosen = (headers: OutgoingHttpHeaders, keep: (name: string) => boolean): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));

/** As if there had been no Broker in between. */
const direct = ({ headers, body }: Recorded): Message => ({
  headers: chosen(headers, (name) => !BROKER.has(name)),
  body,
});

/** As a Broker hands it over to those for dead letters. */
const dead = ({ headers, body }: Recorded): Message => ({
  headers: { ...headers, ...chosen(recorded("dead-letter").headers, (name) => ERROR.test(name)) },
  body,
});

const orders = ["shop/orders"];
const event = (name: string, message: Message, keys: readonly string[] = orders): Replay => ({
  name,
  kind: "event",
  keys,
  message,
});
const tick = (name: string, message: Message): Replay => ({ name, kind: "tick", keys: [], message });

const SOURCES = ["resource", "ref"].flatMap((mode) =>
  ["add", "update", "delete"].map((verb) => `apiserver.${mode}.${verb}`),
);

const ofSources = SOURCES.flatMap((name) => [
  event(`${name} through a Broker`, recorded(name, SAMPLEDB)),
  event(`${name} straight from the source`, direct(recorded(name, SAMPLEDB))),
  event(`${name} as a dead letter`, dead(recorded(name, SAMPLEDB))),
]);

/** What the recorded requests mean as they are, of kinds that are not ours: nothing, but for these. */
const MEANING: Readonly<Record<string, Pick<Replay, "kind" | "keys">>> = {
  // A ConfigMap called `child`: it could be that of a SampleDB of this name.
  "apiserver.ref.add.owned-child": { kind: "event", keys: ["ev2/child"] },
  "plain-http-through-domainmapping": { kind: "nonsense", keys: [] },
};
const asRecorded = Object.keys(RECORDED).map((name): Replay => {
  const { kind, keys } = MEANING[name] ?? { kind: "tick", keys: [] };
  return { name: `${name} as recorded`, kind, keys, message: recorded(name) };
});

const review = JSON.stringify(makeReview(makeSampleDB()));
const reviewed = (name: string, headers: OutgoingHttpHeaders, framing: "length" | "chunks" | "on demand") => {
  const { "content-length": _length, ...rest } = headers;
  const message = { headers: rest, body: review, framing };
  return { name, kind: "review" as const, keys: [], message, query: "?timeout=10s" };
};
const API_SERVER = {
  host: "admission.shop.svc:443",
  "user-agent": "kube-apiserver-admission",
  accept: "application/json, */*",
  "content-type": "application/json",
  "accept-encoding": "gzip",
};
const MAPPED = recorded("plain-http-through-domainmapping").headers;

const H2C = {
  connection: "Upgrade, HTTP2-Settings",
  upgrade: "h2c",
  "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA",
};
const KUBE = { "user-agent": "kube-probe/1/34", "k-kubelet-probe": "queue" };
const add = recorded("apiserver.resource.add", SAMPLEDB);

/** Every request that is work to somebody. */
export const REPLAYS: readonly Replay[] = [
  ...ofSources,
  event("a direct sink's event", recorded("apiserver.ref.add.direct-sink", SAMPLEDB)),
  event("a child by its name", recorded("apiserver.ref.add.owned-child", CHILD), [
    "shop/orders-superuser",
    ...orders,
  ]),
  event("source's own event", { headers: headersFor("orders") }),
  event("an event in chunks", { ...add, framing: "chunks" }),
  event("an event that waits to be asked for", { ...add, framing: "on demand" }),
  event("an event that offers HTTP/2", { headers: { ...add.headers, ...H2C }, body: add.body }),
  tick("cron-connector's empty POST", cronTick()),
  reviewed("a review of the API server", API_SERVER, "length"),
  reviewed("a review in chunks", API_SERVER, "chunks"),
  reviewed("a review that waits to be asked for", API_SERVER, "on demand"),
  reviewed("a review through a DomainMapping", MAPPED, "length"),
  reviewed("a review through a DomainMapping, in chunks", MAPPED, "chunks"),
  reviewed("a review that offers HTTP/2", { ...API_SERVER, ...H2C }, "length"),
  ...asRecorded,
  { name: "a probe of the work itself", kind: "look", keys: [], message: { method: "GET", headers: KUBE } },
];

/** A question about a function itself, or one that nobody should ask; where it goes, and its right answer, the same for all. */
export type Question = {
  readonly name: string;
  readonly path: string;
  readonly message: Message;
  readonly want: number;
};

const question = (name: string, path: string, headers: OutgoingHttpHeaders, method = "GET"): Question => ({
  name,
  path,
  message: { method, headers },
  want: 200,
});

export const QUESTIONS: readonly Question[] = [
  question("queue-proxy's probe", "/readyz", KUBE),
  question("queue-proxy's probe where it looks for HTTP/2", "/readyz", { ...KUBE, ...H2C }, "OPTIONS"),
  question("the kubelet's probe", "/healthz", { "user-agent": "kube-probe/1.34", accept: "*/*" }),
  question("the activator's probe", "/healthz", {
    "user-agent": "Knative-Activator-Probe",
    "k-network-probe": "queue",
  }),
  question("the ingress' probe", "/healthz", {
    "user-agent": "Knative-Ingress-Probe",
    "k-network-probe": "probe",
    "k-network-hash": "override",
  }),
  question("Prometheus", "/metrics", { accept: "text/plain;version=0.0.4", "accept-encoding": "gzip" }),
  { name: "an event at the recorder's own path", path: "/ok", message: add, want: 400 },
  {
    name: "a review at no function's path",
    path: "/hdr",
    message: { headers: MAPPED, body: review, framing: "chunks" },
    want: 400,
  },
];
