import { fakeApiServer } from "./fake-api-server.ts";
import type { FakeAnswer, FakeRequest } from "./fake-api-server.ts";

/** A span as it was sent, as far as tests look at it. */
export type SentSpan = {
  /** `service.name` of its process. */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** As OTLP counts: 1 internal, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isFailed: boolean;
};

type Value = { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
type Attribute = { readonly key: string; readonly value: Value };
type Export = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly kind: number;
        readonly attributes?: readonly Attribute[];
        readonly status?: { readonly code?: number };
      }[];
    }[];
  }[];
};

const fieldsOf = (attributes: readonly Attribute[] = []): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
  );

const spansIn = ({ body }: FakeRequest): readonly SentSpan[] => {
  const { resourceSpans }: Export = JSON.parse(body);
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(fieldsOf(resource.attributes)["service.name"]);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, status, parentSpanId, ...span }) => ({
        ...span,
        service,
        parentSpanId: parentSpanId === "" ? undefined : parentSpanId,
        attributes: fieldsOf(attributes),
        isFailed: status?.code === 2,
      })),
    );
  });
};

export type FakeCollector = AsyncDisposable & {
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  readonly spans: () => readonly SentSpan[];
};

/** A collector of traces (OTLP over HTTP, in JSON). */
export const fakeCollector = async (answer: () => FakeAnswer = () => ({})): Promise<FakeCollector> => {
  const server = await fakeApiServer(answer);
  const spans = (): readonly SentSpan[] => server.requests.flatMap((request) => spansIn(request));
  return { ...server, spans };
};
