import { randomUUID } from "node:crypto";
import { unescape } from "node:querystring";
import type { Key } from "../api/key.ts";
import { keyText } from "../api/key.ts";
import { deliveryOf } from "./delivery-of.ts";
import type { Delivery } from "./delivery-of.ts";
import { log, withFields } from "./log.ts";
import { sender } from "./send.ts";
import { inSpan } from "./trace.ts";
import type { Span, TraceContext } from "./trace.ts";

/** Where key events go. */
export type Sink = {
  readonly deliver: (key: Key) => Promise<Delivery>;
  readonly close: () => void;
};

/** A pass takes up to 8 s and may have to wait for another and for a cold start. */
const DELIVERY_MS = 60_000;
type Event = { readonly key: Key; readonly id: string; readonly type: string };

/** A CloudEvent in binary mode that says nothing but which SampleDB. */
const headersFor = ({ key: { namespace, name }, id, type }: Event): Readonly<Record<string, string>> => ({
  "ce-specversion": "1.0",
  "ce-id": id,
  "ce-type": type,
  "ce-source": "/sampledb.dev",
  "ce-subject": `/apis/sampledb.dev/v1/namespaces/${namespace}/sampledbs/${name}`,
  "ce-time": new Date().toISOString(),
  "ce-kind": "SampleDB",
  "ce-namespace": namespace,
  "ce-name": name,
});

/** The trace goes on in the event itself (CloudEvents' distributed tracing extension), and in the request for what lies in between. */
const traceHeaders = (context: TraceContext | undefined): Readonly<Record<string, string>> => {
  if (context === undefined) return {};
  const { traceparent, tracestate } = context;
  const state = tracestate === undefined ? {} : { tracestate, "ce-tracestate": tracestate };
  return { traceparent, "ce-traceparent": traceparent, ...state };
};

/** Posts an event and gives the answer's status. Rejects where there is none. */
type Post = (event: Event, span: Span) => Promise<number>;

/** Sends one event, tells what came of it, and never rejects. */
const delivered = async (post: Post, event: Event, span: Span): Promise<Delivery> => {
  const start = performance.now();
  const tell = (level: string, message: string, outcome: Delivery, status?: number): Delivery => {
    span.set({ "sampledb.outcome": outcome, "http.response.status_code": status });
    if (outcome !== "delivered") span.fail(`${status ?? "none"}`);
    log({ level, message, status, outcome, ms: Math.round(performance.now() - start) });
    return outcome;
  };
  try {
    const status = await post(event, span);
    const delivery = deliveryOf(status);
    if (delivery === "delivered") return tell("info", "delivered", delivery, status);
    return tell(delivery === "dropped" ? "error" : "warning", "not delivered", delivery, status);
  } catch (cause) {
    return tell("warning", cause instanceof Error ? cause.message : String(cause), "again");
  }
};

/**
 * A sink at `url`. `type` is the event type after `dev.sampledb.`, e.g. `source.changed`; `maxConnections` bounds what is in flight;
 * `more` headers are asked for each delivery and go nowhere but there. `deliver` never rejects.
 */
export const httpSink = (
  url: URL,
  type: string,
  maxConnections: number,
  more: () => Readonly<Record<string, string>> = () => ({}),
): Sink => {
  const { send, close } = sender({ base: new URL(url.origin) }, maxConnections);
  const path = url.pathname + url.search;
  const post: Post = async (event, { context }) => {
    const headers = { ...headersFor(event), ...traceHeaders(context), ...more() };
    const signal = AbortSignal.timeout(DELIVERY_MS);
    return (await send({ method: "POST", path, headers, body: "", signal })).status;
  };
  return {
    deliver: (key) => {
      const event = { key, id: randomUUID(), type: `dev.sampledb.${type}` };
      const attributes = {
        "sampledb.key": keyText(key),
        "cloudevents.event_id": event.id,
        "cloudevents.event_type": event.type,
      };
      return withFields({ key: keyText(key), id: event.id }, () =>
        inSpan({ name: "send event", kind: "producer", attributes, isRoot: true }, (span) =>
          delivered(post, event, span),
        ),
      );
    },
    close,
  };
};

/** Whether the address is that of OpenFaaS' queue: it answers 202 to everything, and then loses, repeats and reorders, and tries nothing again. */
const isQueue = ({ pathname }: URL): boolean =>
  // Percent signs or not: a gateway decodes them.
  unescape(pathname).split("/").includes("async-function");

const urlOf = (variable: string, text: string): URL => {
  const url = URL.parse(text);
  if (url !== null && isQueue(url)) {
    throw new Error(
      `${variable} is ${JSON.stringify(text)}: that is OpenFaaS' queue, which loses events. Name the function itself: /function/… instead of /async-function/….`,
    );
  }
  if (url !== null && ["http:", "https:"].includes(url.protocol)) return url;
  throw new Error(
    `${variable} is ${text === "" ? "not set" : JSON.stringify(text)}: it must be an http or https URL.`,
  );
};

/**
 * Where to send: `K_SINK` as Knative sets it, else `SINK`, which may name several addresses, separated by commas, that get every event
 * each. Throws with a sentence for the user, for OpenFaaS' queue too.
 */
export const sinkUrls = (env: NodeJS.ProcessEnv): readonly URL[] => {
  const variable = (env["K_SINK"] ?? "") === "" ? "SINK" : "K_SINK";
  return (env[variable] ?? "").split(",").map((text) => urlOf(variable, text.trim()));
};

/** How many keys may be in flight to a sink at once: `CONCURRENCY`, 8 where it is not set. */
export const concurrencyFrom = (env: NodeJS.ProcessEnv): number => {
  const concurrency = Number(env["CONCURRENCY"] ?? 8);
  if (Number.isInteger(concurrency) && concurrency > 0) return concurrency;
  throw new Error(
    `CONCURRENCY is ${JSON.stringify(env["CONCURRENCY"])}: it must be a whole number from 1 on.`,
  );
};
