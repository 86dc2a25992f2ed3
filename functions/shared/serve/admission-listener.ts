import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Catalog } from "../api/catalog.ts";
import { cut } from "../api/violation.ts";
import { callsJudge } from "./admission-call.ts";
import { makeAdmissionMetrics } from "./admission-metrics.ts";
import type { AdmissionFunction } from "./admission-review.ts";
import type { JudgeBig } from "./judge-big.ts";
import { log } from "./log.ts";
import type { LogFields } from "./log.ts";
import { PAGE_METHODS } from "./page-methods.ts";

/** What the listener serves. */
export type AdmissionRoutes = {
  /** One function answers `/` and `/<name>`, several answer `/<name>` each. */
  readonly functions: readonly AdmissionFunction[];
  readonly catalog: () => Catalog;
  /** Judges reviews that would hold up others; without it they are judged like all. */
  readonly judgeBig?: JudgeBig | undefined;
  /** False before TLS is loaded and once the process is ending. */
  readonly isReady: () => boolean;
  /** True once the process is ending: connections are closed as they are answered. */
  readonly isEnding: () => boolean;
};

type Reply = {
  readonly code: number;
  readonly type: "application/json" | "text/plain";
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What to log once it is sent: nobody waits for a line. */
  readonly line?: LogFields;
};

const json = (code: number, body: Readonly<Record<string, unknown>>, headers = {}): Reply => ({
  code,
  type: "application/json",
  text: JSON.stringify(body),
  headers,
});

const plain = (code: number, text: string): Reply => ({ code, type: "text/plain", text });

const wrongMethod = (methods: readonly string[]): Reply =>
  json(405, { error: `only ${methods[0]} is served here` }, { allow: methods.join(", ") });

const functionAt = (functions: readonly AdmissionFunction[], path: string): AdmissionFunction | undefined =>
  functions.find(({ name }) => path === `/${name}`) ??
  (path === "/" && functions.length === 1 ? functions[0] : undefined);

const unanswerable = (cause: unknown): Reply => {
  log({ level: "error", message: cause instanceof Error ? cause.message : String(cause) });
  return json(500, { error: "the call could not be answered; the function's log says why" });
};

const send = (response: ServerResponse, reply: Reply, isLast: boolean): void => {
  const close = isLast ? { connection: "close" } : {};
  // With its length a short answer leaves in one piece, head and all; without it in four, each of them encrypted and sent.
  const length = Buffer.byteLength(reply.text);
  response.writeHead(reply.code, {
    "content-type": reply.type,
    "content-length": length,
    ...reply.headers,
    ...close,
  });
  response.end(reply.text);
  if (reply.line !== undefined) log(reply.line);
};

/** The HTTP side of admission: routes, limits, log and metrics around the pure answers. */
export const admissionListener = (routes: AdmissionRoutes): RequestListener => {
  const metrics = makeAdmissionMetrics();
  const judgeCall = callsJudge();
  const review = async (fn: AdmissionFunction, request: IncomingMessage, url: URL): Promise<Reply> => {
    const began = performance.now();
    const answer = await judgeCall({ fn, request, url, catalog: routes.catalog, judgeBig: routes.judgeBig });
    const ms = performance.now() - began;
    metrics.count(fn.name, answer.outcome, ms / 1000);
    const line = {
      function: fn.name,
      outcome: answer.outcome,
      ...answer.fields,
      ms: Math.round(ms * 10) / 10,
    };
    // An unread rest would be taken for the next request.
    return { ...json(answer.code, answer.body, request.complete ? {} : { connection: "close" }), line };
  };
  const read = (path: string): Reply | undefined => {
    if (path === "/healthz") return plain(200, "ok");
    if (path === "/readyz") return routes.isReady() ? plain(200, "ok") : plain(503, "not ready");
    return path === "/metrics" ? plain(200, metrics.text()) : undefined;
  };
  const route = async (request: IncomingMessage): Promise<Reply> => {
    // An address that is none ("//", say) would make the constructor throw.
    const url = URL.parse(request.url ?? "/", "http://admission");
    if (url === null) return json(400, { error: "the request's address is no URL" });
    const fn = functionAt(routes.functions, url.pathname);
    if (fn !== undefined)
      return request.method === "POST" ? await review(fn, request, url) : wrongMethod(["POST"]);
    const page = read(url.pathname);
    // Not 404: a sender of events that got here would try again and again.
    if (page === undefined) return json(400, { error: `nothing is served at ${cut(url.pathname)}` });
    return PAGE_METHODS.includes(request.method ?? "") ? page : wrongMethod(PAGE_METHODS);
  };
  return (request, response) => {
    // One call that cannot be answered must not end the process, and with it every call beside it.
    void route(request)
      .catch((cause: unknown) => unanswerable(cause))
      .then((reply) => send(response, reply, routes.isEnding()));
  };
};
