import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapSetter,
  defaultTextMapGetter,
  trace,
} from "@opentelemetry/api";
import type { Context, Span as OtelSpan } from "@opentelemetry/api";
import { W3CTraceContextPropagator, setGlobalErrorHandler } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { log, withFields } from "./log.ts";
import type { InSpan, Span, SpanStart, TraceContext } from "./trace.ts";
import { traceSampler } from "./trace-sampler.ts";

/** Shorter than what is left of the 30 s after which the kubelet kills, when the longest pass has drained. */
const FLUSH_MS = 3000;
const TELL_EVERY_MS = 60_000;

const KINDS = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER, producer: SpanKind.PRODUCER };

const propagator = new W3CTraceContextPropagator();

const contextFrom = (parent: TraceContext): Context =>
  propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter);

const contextTo = (context: Context): TraceContext | undefined => {
  const carrier: { traceparent?: string; tracestate?: string } = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  const { traceparent, tracestate } = carrier;
  if (traceparent === undefined) return undefined;
  return { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
};

const spanOn = (span: OtelSpan, context: Context): Span => ({
  set: (attributes) => {
    span.setAttributes({ ...attributes });
  },
  fail: (type) => {
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", type);
  },
  context: contextTo(context),
});

const numberIn = (env: NodeJS.ProcessEnv, name: string): number | undefined => {
  const value = Number(env[name] ?? "");
  return Number.isInteger(value) && value > 0 ? value : undefined;
};

const processorFrom = (env: NodeJS.ProcessEnv): BatchSpanProcessor => {
  const options = Object.entries({
    scheduledDelayMillis: numberIn(env, "OTEL_BSP_SCHEDULE_DELAY"),
    maxQueueSize: numberIn(env, "OTEL_BSP_MAX_QUEUE_SIZE"),
    maxExportBatchSize: numberIn(env, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
    exportTimeoutMillis: numberIn(env, "OTEL_BSP_EXPORT_TIMEOUT"),
  }).filter(([, value]) => value !== undefined);
  // The exporter reads OTEL_EXPORTER_OTLP_* itself.
  return new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...Object.fromEntries(options) });
};

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** A collector that is away is told now and then, and nothing else comes of it. */
const tellFailures = (): void => {
  let toldAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((cause) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    log({ level: "warning", message: `traces are not delivered: ${messageOf(cause)}` });
  });
};

const stopOf = (provider: TracerProvider) => async (): Promise<void> => {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, FLUSH_MS);
  // What fails has been told by the error handler's line, or is too late to matter.
  await Promise.race([provider.shutdown().catch(() => undefined), limit.promise]);
  clearTimeout(timer);
};

/** Spans by OpenTelemetry's SDK, sent as OTLP over HTTP in JSON, as the standard's environment variables say. */
export const openTelemetry = (env: NodeJS.ProcessEnv, service: string) => {
  tellFailures();
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": `sampledb-${service}` }))
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }));
  const provider = new TracerProvider({
    resource,
    sampler: traceSampler(env),
    spanProcessors: [processorFrom(env)],
  });
  const tracer = provider.getTracer("sampledb");
  const active = new AsyncLocalStorage<Context>();
  const contextAround = ({ parent, isRoot }: SpanStart): Context => {
    if (parent !== undefined) return contextFrom(parent);
    return isRoot === true ? ROOT_CONTEXT : (active.getStore() ?? ROOT_CONTEXT);
  };
  const inSpan: InSpan = (start, work) => {
    const { name, kind, attributes } = start;
    const around = contextAround(start);
    const options = {
      ...(kind && { kind: KINDS[kind] }),
      ...(attributes && { attributes: { ...attributes } }),
    };
    const span = tracer.startSpan(name, options, around);
    const context = trace.setSpan(around, span);
    const told = spanOn(span, context);
    const run = async () => {
      try {
        return await work(told);
      } catch (cause) {
        // Not its message: that may hold names.
        told.fail(cause instanceof Error ? cause.name : "thrown");
        throw cause;
      } finally {
        span.end();
      }
    };
    return active.run(context, () => withFields({ trace: span.spanContext().traceId }, run));
  };
  return { inSpan, stop: stopOf(provider) };
};
