import express from "express";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import type { CloudEvent } from "cloudevents";
import { cut } from "../api/violation.ts";
import type { CallerCheck } from "./caller-check.ts";
import { eventMetrics } from "./event-metrics.ts";
import type { EventMetrics } from "./event-metrics.ts";
import { eventSpan } from "./event-span.ts";
import { log, short, withFields } from "./log.ts";
import type { LogFields } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { PAGE_METHODS } from "./page-methods.ts";
import { Malformed, readEvent } from "./read-event.ts";
import { inSpan } from "./trace.ts";

/** What came of an event. 503 asks the sender to deliver it again; there is no other reason to. */
export type Reply = {
  readonly status: 204 | 503;
  readonly outcome: string;
  /** More for the log line, such as the key. */
  readonly fields?: LogFields;
};

/** The work of a path. The event is undefined where a plain timer knocked. */
export type Work = (event: CloudEvent<unknown> | undefined) => Promise<Reply>;

export type FunctionAppOptions = {
  /** By path, e.g. `/` and `/provision`. */
  readonly works: Readonly<Record<string, Work>>;
  readonly isReady: () => boolean;
  readonly metrics: Metrics;
  /** Who may have work done; undefined: anybody. The pages are open to all. */
  readonly callers?: CallerCheck | undefined;
};

/** Objects up to the API server's 3 MiB, in structured mode with their quotes escaped. */
const BODY_LIMIT = "4mb";

const plain = (response: Response, status: number, text: string): void => {
  response.status(status).type("text/plain").end(text);
};

const methodsAt = (
  path: string,
  pages: ReadonlySet<string>,
  works: ReadonlyMap<string, Work>,
): readonly string[] => {
  if (pages.has(path)) return PAGE_METHODS;
  return works.has(path) ? ["POST"] : [];
};

/** Questions for the pages, POST for the works. Never 404: a sender would deliver again. */
const onlyKnown =
  (pages: ReadonlySet<string>, works: ReadonlyMap<string, Work>): RequestHandler =>
  (request, response, next) => {
    const methods = methodsAt(request.path, pages, works);
    if (methods.length === 0) return plain(response, 400, `There is nothing at ${cut(request.path)}.\n`);
    if (methods.includes(request.method)) return next();
    response.set("Allow", methods.join(", "));
    return plain(response, 405, `Only ${methods[0]} is served here.\n`);
  };

const bodyOf = (request: Request): string => {
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body.toString("utf8") : "";
};

/** Turns away, unread, what a stranger sent. */
const onlyCallers =
  (check: CallerCheck, { handled }: EventMetrics): RequestHandler =>
  async (request, response, next) => {
    const refusal = await check(request.headers.authorization);
    if (refusal === undefined) return next();
    const { status, message, why } = refusal;
    const outcome = status === 401 ? "unauthorized" : "unverifiable";
    handled({ path: request.path, outcome, seconds: 0 });
    log({ level: "warning", message: "caller refused", why, path: request.path, outcome });
    if (status === 401) response.set("WWW-Authenticate", "Bearer");
    return plain(response, status, `${message}\n`);
  };

type Done = Reply & { readonly ms: number };

/** Has an event worked on; its line in the log, and every other that the work logs, carries its id. */
const workOn = (work: Work, event: CloudEvent<unknown> | undefined, request: Request): Promise<Done> =>
  withFields({ id: event === undefined ? undefined : short(event.id) }, () =>
    inSpan(eventSpan(event, request.headers, request.path), async (span) => {
      const start = performance.now();
      const reply = await work(event);
      const ms = Math.round(performance.now() - start);
      const { status, outcome, fields } = reply;
      const level = status === 204 ? "info" : "warning";
      log({ level, message: "event", path: request.path, outcome, ms, ...fields });
      span.set({ "sampledb.key": fields?.["key"] ?? undefined, "sampledb.outcome": outcome });
      if (status !== 204) span.fail(outcome);
      return { ...reply, ms };
    }),
  );

const handle =
  (works: ReadonlyMap<string, Work>, { arrived, handled }: EventMetrics): RequestHandler =>
  async (request, response, next) => {
    const { path } = request;
    const work = works.get(path);
    if (work === undefined) return next();
    const event = readEvent(request.headers, bodyOf(request));
    arrived(path, event);
    const { status, outcome, ms } = await workOn(work, event, request);
    handled({ path, outcome, seconds: ms / 1000 });
    // A body on 204 would make Knative answer 502 and deliver again.
    response.status(status).type("text/plain").end();
  };

/** Whether the sender is to blame: nothing of what it sent was acted on. */
const isSenders = (error: unknown): boolean => {
  if (error instanceof Malformed) return true;
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status < 500;
};

/** Express would answer with a page that shows the stack, and log the whole error with the body in it. */
const answerError =
  ({ handled }: EventMetrics): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    // Some quote what was sent.
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 200);
    const [level, outcome] = isSenders(error) ? ["warning", "malformed"] : ["error", "bug"];
    handled({ path: request.path, outcome, seconds: 0 });
    log({ level, message, path: request.path, outcome });
    // A bug does not go away by delivering again.
    return outcome === "malformed" ? plain(response, 400, `${message}\n`) : plain(response, 204, "");
  };

/** A function as an HTTP server: its works, `/healthz`, `/readyz` and `/metrics`. */
export const functionApp = (options: FunctionAppOptions): express.Express => {
  const { works, isReady, metrics, callers } = options;
  const counted = eventMetrics(metrics);
  const byPath = new Map(Object.entries(works));
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(onlyKnown(new Set(["/healthz", "/readyz", "/metrics"]), byPath));
  app.all("/healthz", (_, response) => plain(response, 200, "ok\n"));
  app.all("/readyz", (_, response) =>
    isReady() ? plain(response, 200, "ready\n") : plain(response, 503, "not ready\n"),
  );
  app.all("/metrics", async (_, response) => {
    const { contentType, text } = await metrics.page();
    response.status(200).type(contentType).end(text);
  });
  if (callers !== undefined) app.use(onlyCallers(callers, counted));
  app.use(express.raw({ type: () => true, limit: BODY_LIMIT }), handle(byPath, counted));
  app.use(answerError(counted));
  return app;
};
