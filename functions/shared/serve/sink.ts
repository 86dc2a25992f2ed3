import { randomUUID } from "node:crypto";
import type { Key } from "../api/key.ts";
import { keyText } from "../api/key.ts";
import { log } from "./log.ts";
import { sender } from "./send.ts";

/** `again`: nobody took it, deliver later. `dropped`: whoever answered will never take it. */
export type Delivery = "delivered" | "again" | "dropped";

/** Where key events go. */
export type Sink = {
  readonly deliver: (key: Key) => Promise<Delivery>;
  readonly close: () => void;
};

/** A pass takes up to 8 s and may have to wait for another and for a cold start. */
const DELIVERY_MS = 60_000;
/** Of a gateway that does not know the function yet, or of a queue that is full. */
const NOT_YET = new Set([404, 408, 425, 429]);

const deliveryOf = (status: number): Delivery => {
  if (status >= 200 && status < 300) return "delivered";
  return status >= 400 && status < 500 && !NOT_YET.has(status) ? "dropped" : "again";
};

/** A CloudEvent in binary mode that says nothing but which SampleDB. */
const headersFor = ({ namespace, name }: Key, by: string): Readonly<Record<string, string>> => ({
  "ce-specversion": "1.0",
  "ce-id": randomUUID(),
  "ce-type": `dev.sampledb.${by}`,
  "ce-source": "/sampledb.dev",
  "ce-subject": `/apis/sampledb.dev/v1/namespaces/${namespace}/sampledbs/${name}`,
  "ce-time": new Date().toISOString(),
  "ce-kind": "SampleDB",
  "ce-namespace": namespace,
  "ce-name": name,
});

/**
 * A sink at `url`. `type` is the event type after `dev.sampledb.`, e.g. `source.changed`; `maxConnections` bounds what is in flight.
 * `deliver` never rejects.
 */
export const httpSink = (url: URL, type: string, maxConnections: number): Sink => {
  const { send, close } = sender({ base: new URL(url.origin) }, maxConnections);
  const path = url.pathname + url.search;
  return {
    deliver: async (key) => {
      try {
        const signal = AbortSignal.timeout(DELIVERY_MS);
        const { status } = await send({
          method: "POST",
          path,
          headers: headersFor(key, type),
          body: "",
          signal,
        });
        const delivery = deliveryOf(status);
        if (delivery === "delivered") return delivery;
        const level = delivery === "dropped" ? "error" : "warning";
        log({ level, message: "not delivered", key: keyText(key), status, outcome: delivery });
        return delivery;
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        log({ level: "warning", message, key: keyText(key), outcome: "again" });
        return "again";
      }
    },
    close,
  };
};

const urlOf = (text: string): URL => {
  const url = URL.parse(text);
  if (url !== null && ["http:", "https:"].includes(url.protocol)) return url;
  throw new Error(
    `SINK is ${text === "" ? "not set" : JSON.stringify(text)}: it must be an http or https URL.`,
  );
};

/**
 * Where to send: `K_SINK` as Knative sets it, else `SINK`, which may name several addresses, separated by commas, that get every event
 * each. Throws with a sentence for the user.
 */
export const sinkUrls = (env: NodeJS.ProcessEnv): readonly URL[] =>
  (env["K_SINK"] ?? env["SINK"] ?? "").split(",").map((text) => urlOf(text.trim()));

/** How many keys may be in flight to a sink at once: `CONCURRENCY`, 8 where it is not set. */
export const concurrencyFrom = (env: NodeJS.ProcessEnv): number => {
  const concurrency = Number(env["CONCURRENCY"] ?? 8);
  if (Number.isInteger(concurrency) && concurrency > 0) return concurrency;
  throw new Error(
    `CONCURRENCY is ${JSON.stringify(env["CONCURRENCY"])}: it must be a whole number from 1 on.`,
  );
};
