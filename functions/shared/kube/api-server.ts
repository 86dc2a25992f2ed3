import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Call } from "../serve/send.ts";
import { inSpan } from "../serve/trace.ts";
import type { Span } from "../serve/trace.ts";
import type { ReadAccess } from "./access.ts";
import { subjectOf } from "./api-call-note.ts";
import type { ApiCallNote } from "./api-call-note.ts";
import { connection } from "./connection.ts";
import type { Connected } from "./connection.ts";
import { msLeft } from "./deadline.ts";
import { Fault } from "./fault.ts";
import { faultOf } from "./fault-of.ts";
import { retryAfterMs } from "./retry-after-ms.ts";

export type ApiCall = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path and query. */
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
};

/** The Kubernetes API over HTTP: every failure is a Fault. */
export type ApiServer = {
  /** The answer's body, which is JSON. */
  readonly call: (call: ApiCall) => Promise<string>;
  /** The lines of a watch, on a connection of its own. */
  readonly stream: (call: ApiCall) => Promise<AsyncIterable<string>>;
  readonly close: () => void;
};

const JSON_TYPE = "application/json";

const httpCall = (
  { method, path, accept, contentType, body, signal }: ApiCall,
  access: Connected,
  { context }: Span,
): Call => ({
  method,
  path,
  headers: {
    ...context,
    accept: accept ?? JSON_TYPE,
    "user-agent": "sampledb",
    ...(body === undefined ? {} : { "content-type": contentType ?? JSON_TYPE }),
    ...access.access.headers,
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  signal,
});

const nameOf = (call: ApiCall): string => `${call.method} ${call.path.split("?")[0] ?? ""}`;

const unanswered = (call: ApiCall, cause: unknown): Fault => {
  if (cause instanceof Fault) return cause;
  const why = call.signal.aborted
    ? "no answer in time"
    : cause instanceof Error
      ? cause.message
      : String(cause);
  return new Fault("unavailable", `${nameOf(call)}: ${why}`, { cause });
};

/** The fault of an answer that says to come back later; undefined for others, a webhook's refusal with the same code among them. */
const overloadOf = (call: ApiCall, { status, body }: Answer): Fault | undefined => {
  if (status !== 429) return undefined;
  const fault = faultOf(nameOf(call), status, body);
  return fault.sort === "unavailable" ? fault : undefined;
};

const jsonOf = (call: ApiCall, answer: Answer): string => {
  // Its keys for tokens it serves as application/jwk-set+json.
  if (/^application\/([\w.-]+\+)?json/u.test(answer.headers["content-type"] ?? "")) return answer.body;
  throw new Fault("unavailable", `${nameOf(call)}: the answer is not JSON, so it is not the API server's`);
};

/** One exchange, in a span and told to `seen`. `take` begins it and gives what came, once it is there. */
const exchange = <T extends { readonly status: number }>(
  call: ApiCall,
  method: string,
  seen: (note: ApiCallNote) => void,
  take: (span: Span) => Promise<T>,
): Promise<T> => {
  const { resource, template } = subjectOf(call.path);
  const name = `${method} ${resource}`;
  const attributes = { "http.request.method": call.method, "url.template": template };
  return inSpan({ name, kind: "client", attributes }, async (span) => {
    const start = performance.now();
    let code = "none";
    try {
      const taken = await take(span);
      code = `${taken.status}`;
      span.set({ "http.response.status_code": taken.status });
      if (taken.status >= 400) span.fail(code);
      return taken;
    } finally {
      seen({ method, resource, code, seconds: (performance.now() - start) / 1000 });
    }
  });
};

/**
 * The API server that `readAccess` leads to. Opens at most two connections for calls, none before the first. Each exchange is told to
 * `seen`.
 */
export const apiServer = (
  readAccess: ReadAccess,
  seen: (note: ApiCallNote) => void = () => undefined,
): ApiServer => {
  const link = connection(readAccess);
  const answerOf = async (call: ApiCall): Promise<Answer> => {
    const connected = await link.current();
    const answer = await exchange(call, call.method, seen, (span) =>
      connected.sender.send(httpCall(call, connected, span)),
    );
    if (answer.status === 401) link.forget();
    const overload = overloadOf(call, answer);
    if (overload === undefined) return answer;
    const ms = retryAfterMs(answer.headers["retry-after"], Date.now());
    // Whoever delivers again waits better than we do: it holds no turn.
    if (ms >= msLeft(call.signal)) throw overload;
    await wait(ms, undefined, { signal: call.signal });
    return answerOf(call);
  };
  return {
    call: async (call) => {
      const answer = await answerOf(call).catch((cause: unknown) => {
        throw unanswered(call, cause);
      });
      if (answer.status >= 200 && answer.status < 300) return jsonOf(call, answer);
      throw faultOf(nameOf(call), answer.status, answer.body);
    },
    stream: async (call) => {
      try {
        const connected = await link.current();
        const { status, lines } = await exchange(call, "WATCH", seen, (span) =>
          connected.sender.stream(httpCall(call, connected, span)),
        );
        if (status === 200) return lines;
        if (status === 401) link.forget();
        let body = "";
        for await (const line of lines) body += line;
        throw faultOf(nameOf(call), status, body);
      } catch (cause) {
        throw unanswered(call, cause);
      }
    },
    close: link.close,
  };
};
