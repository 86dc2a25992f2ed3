/** Where a trace goes on, as W3C Trace Context writes it. Both may come from strangers. */
export type TraceContext = { readonly traceparent: string; readonly tracestate?: string };

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanStart = {
  /** One of few: no key and no id in it. */
  readonly name: string;
  readonly kind?: "client" | "consumer" | "producer";
  readonly attributes?: Attributes;
  /** Of another process; otherwise the span that we are in, */
  readonly parent?: TraceContext | undefined;
  /** unless this begins a trace of its own: thousands of keys in one could not be looked at. */
  readonly isRoot?: boolean;
};

/** What work says of itself. No object bodies, and no names beyond the key. */
export type Span = {
  readonly set: (attributes: Attributes) => void;
  /** It did not go well: `type` is one of few words. */
  readonly fail: (type: string) => void;
  /** For the next process; undefined where nothing is traced. */
  readonly context: TraceContext | undefined;
};

/** Does `work` in a span, which ends with it. */
export type InSpan = <T>(start: SpanStart, work: (span: Span) => Promise<T>) => Promise<T>;

const nothing = (): void => undefined;
const NO_SPAN: Span = { set: nothing, fail: nothing, context: undefined };

// One for the process, like its log: every call passes by here, and an argument through all of them would be noise.
let traced: InSpan | undefined;

/** Does `work` in a span where traces are on, and just does it where they are off. */
export const inSpan: InSpan = (start, work) => (traced === undefined ? work(NO_SPAN) : traced(start, work));

/** Traces of this process. */
export type Tracing = {
  /** Sends what is left, within a few seconds whatever becomes of it. */
  readonly stop: () => Promise<void>;
};

const isOn = ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint = "",
  OTEL_SDK_DISABLED: disabled = "",
  OTEL_TRACES_EXPORTER: exporter = "otlp",
}: NodeJS.ProcessEnv): boolean => endpoint !== "" && disabled.toLowerCase() !== "true" && exporter !== "none";

/** Turns traces on where `OTEL_EXPORTER_OTLP_ENDPOINT` is set; nothing of OpenTelemetry is loaded otherwise. `service` names the process. */
export const startTracing = async (env: NodeJS.ProcessEnv, service: string): Promise<Tracing> => {
  if (!isOn(env)) return { stop: () => Promise.resolve() };
  const { openTelemetry } = await import("./open-telemetry.ts");
  const { inSpan: start, stop } = openTelemetry(env, service);
  traced = start;
  return { stop };
};
