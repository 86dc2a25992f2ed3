import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { cleanedPath } from "./cleaned-path.ts";
import { forward } from "./forward.ts";
import { forNode, passedOn } from "./go-headers.ts";
import type { HeaderLines } from "./go-headers.ts";
import { serve } from "./server.ts";
import type { Listening } from "./server.ts";

/** A call that reached a function, and how it was answered; 0: the caller was gone. */
type GatewayCall = { readonly name: string; readonly path: string; readonly status: number };

export type GatewayOptions = {
  /** The functions' watchdogs by name; undefined: a function without a ready pod. */
  readonly functions: Readonly<Record<string, string | undefined>>;
  /** upstream_timeout, in milliseconds. */
  readonly upstreamMs?: number;
};

export type Gateway = Listening & {
  readonly calls: readonly GatewayCall[];
  /** Names of functions that were called through the queue: it is never emptied here. */
  readonly queued: readonly string[];
};

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const text = (response: ServerResponse, status: number, body: string, more: object = {}): void => {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", ...more }).end(body);
};

/** `/function/NAME.NAMESPACE/suffix?query` in its parts; `%2F` has become a slash. */
const partsOf = (url: string) => {
  const parts = /^\/(function|async-function)\/([-a-z0-9]+)(?:\.[-a-z0-9]+)?(\/[^?]*)?(\?.*)?$/u.exec(url);
  if (parts === null) return undefined;
  const [, way, name = "", suffix = "/", query = ""] = parts;
  return { way, name, path: suffix.replaceAll(/%2f/giu, "/") + query };
};

/** The headers of a call, with the gateway's own. A client's X-Forwarded-For and X-Call-Id stay as they are. */
const headersFor = (incoming: IncomingMessage, base: string): HeaderLines => {
  const passed = passedOn(incoming);
  const { remoteAddress, remotePort } = incoming.socket;
  const own: HeaderLines = [
    ["X-Call-Id", randomUUID()],
    ["X-Start-Time", `${Date.now()}000000`],
    ["X-Forwarded-Host", incoming.headers.host ?? ""],
    ["X-Forwarded-For", `${remoteAddress}:${remotePort}`],
  ];
  const isSet = new Set(passed.map(([name]) => name));
  return [["Host", new URL(base).host], ...passed, ...own.filter(([name]) => !isSet.has(name))];
};

/** An answer without a type gets the request's: what the real one does. */
const answerHeaders = (answer: IncomingMessage, incoming: IncomingMessage, began: number) => ({
  ...(answer.headers["content-type"] === undefined && {
    "Content-Type": incoming.headers["content-type"] ?? "text/plain; charset=utf-8",
  }),
  ...forNode(passedOn(answer)),
  "X-Served-By": "openfaas-ce/0.27.14",
  "X-Duration-Seconds": ((performance.now() - began) / 1000).toFixed(6),
});

/** The gateway of OpenFaaS' community edition with its provider behind it, on the wire: see README.md. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { functions, upstreamMs = 60_000 } = options;
  const agent = new Agent({ keepAlive: true });
  const calls: GatewayCall[] = [];
  const queued: string[] = [];

  const pass = async (incoming: IncomingMessage, response: ServerResponse, name: string, path: string) => {
    const base = functions[name];
    if (base === undefined) {
      const noPod = { "X-OpenFaaS-Internal": "proxy" };
      if (name in functions) return text(response, 503, `No endpoints available for: ${name}.`, noPod);
      return text(response, 404, `error finding function ${name}: not found`);
    }
    const limit = AbortSignal.timeout(upstreamMs);
    const gone = new AbortController();
    response.once("close", () => {
      calls.push({ name, path, status: response.writableFinished ? response.statusCode : 0 });
      gone.abort();
    });
    const began = performance.now();
    try {
      const signal = AbortSignal.any([limit, gone.signal]);
      const answer = await forward({
        incoming,
        base,
        path,
        headers: headersFor(incoming, base),
        agent,
        signal,
      });
      response.writeHead(answer.statusCode ?? 0, answerHeaders(answer, incoming, began));
      answer.pipe(response);
    } catch {
      if (response.destroyed) return;
      if (limit.aborted) response.writeHead(502, { "Content-Length": "0" }).end();
      else text(response, 500, `Can't reach service for: ${name}.`);
    }
  };

  const listening = await serve((request, response) => {
    const { url = "/", method = "" } = request;
    const [path = "/"] = url.split("?");
    const cleaned = cleanedPath(path);
    const parts = partsOf(url);
    if (cleaned !== undefined) response.writeHead(301, { Location: cleaned, "Content-Length": "0" }).end();
    // Only functions are anybody's.
    else if (parts === undefined) text(response, 401, "invalid credentials");
    else if (!METHODS.has(method) || (parts.way === "async-function" && method !== "POST"))
      text(response, 405, "");
    else if (parts.way === "async-function") {
      queued.push(parts.name);
      response.writeHead(202, { "X-Call-Id": randomUUID(), "Content-Length": "0" }).end();
    } else void pass(request, response, parts.name, parts.path);
  });
  return { ...listening, calls, queued };
};
