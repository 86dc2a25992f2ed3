import type { CloudEvent } from "cloudevents";
import { short } from "./log.ts";
import type { Attributes, SpanStart, TraceContext } from "./trace.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
type Carrier = { readonly traceparent: unknown; readonly tracestate: unknown };

const contextIn = ({ traceparent, tracestate }: Carrier): TraceContext | undefined =>
  typeof traceparent === "string"
    ? { traceparent, ...(typeof tracestate === "string" ? { tracestate } : {}) }
    : undefined;

const carrierIn = (values: Readonly<Record<string, unknown>>): Carrier => ({
  traceparent: values["traceparent"],
  tracestate: values["tracestate"],
});

const eventCarrier = (event: CloudEvent<unknown>): Carrier => ({
  traceparent: event["traceparent"],
  tracestate: event["tracestate"],
});

const attributesOf = (event: CloudEvent<unknown>): Attributes => ({
  "cloudevents.event_id": short(event.id),
  "cloudevents.event_type": short(event.type),
});

/**
 * The span in which an event is handled. It goes on with its sender's trace: as the event says (CloudEvents' distributed tracing extension), else as
 * the request's headers do.
 */
export const eventSpan = (
  event: CloudEvent<unknown> | undefined,
  headers: Headers,
  path: string,
): SpanStart => {
  const ofEvent = event === undefined ? undefined : contextIn(eventCarrier(event));
  return {
    name: "handle event",
    kind: "consumer",
    attributes: { "url.path": path, ...(event === undefined ? {} : attributesOf(event)) },
    parent: ofEvent ?? contextIn(carrierIn(headers)),
  };
};
