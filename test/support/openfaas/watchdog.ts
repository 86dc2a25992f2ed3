import { Agent } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { cleanedPath } from "./cleaned-path.ts";
import { forward } from "./forward.ts";
import { forNode, passedOn } from "./go-headers.ts";
import { serve } from "./server.ts";
import type { Listening } from "./server.ts";

export type WatchdogOptions = {
  /** Where the function listens; asked for each call. */
  readonly upstream: () => string | Promise<string>;
  /** exec_timeout, in milliseconds. */
  readonly execMs?: number;
  /** max_inflight; 0: no limit. */
  readonly maxInflight?: number;
};

const split = (url: string): readonly [path: string, query: string] => {
  const at = url.indexOf("?");
  return at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at)];
};

const OWN = { "X-Openfaas-Internal": "of-watchdog", "Content-Length": "0" };

/** `/_/health` says that the watchdog lives, and nothing of the function. */
const ownPage = (request: IncomingMessage, response: ServerResponse, isFull: boolean): boolean => {
  if (request.url !== "/_/health" && request.url !== "/_/ready") return false;
  if (request.method !== "GET") response.writeHead(405, { "Content-Length": "0" }).end();
  else if (request.url === "/_/ready")
    response.writeHead(isFull ? 429 : 200, { "Content-Length": "0" }).end();
  else response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end("OK");
  return true;
};

/** of-watchdog in its mode `http`, on the wire: see README.md. */
export const startWatchdog = (options: WatchdogOptions): Promise<Listening> => {
  const { upstream, execMs = 30_000, maxInflight = 0 } = options;
  const agent = new Agent({ keepAlive: true });
  let inflight = 0;

  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const limit = AbortSignal.timeout(execMs);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const signal = AbortSignal.any([limit, gone.signal]);
    const { url = "/", headers } = incoming;
    const began = performance.now();
    const taken = (): Record<string, string> => ({
      "X-Duration-Seconds": ((performance.now() - began) / 1000).toFixed(6),
    });
    try {
      const lines = [
        ["Host", headers.host ?? ""] as const,
        ...passedOn(incoming),
        ...(headers["accept-encoding"] === undefined ? [["Accept-Encoding", "gzip"] as const] : []),
      ];
      const call = { incoming, base: await upstream(), path: url, headers: lines, agent, signal };
      const answer = await forward(call);
      response.writeHead(answer.statusCode ?? 0, { ...forNode(passedOn(answer)), ...taken() });
      answer.pipe(response);
    } catch {
      if (!response.destroyed) response.writeHead(limit.aborted ? 504 : 500, { ...OWN, ...taken() }).end();
    }
  };

  return serve((request, response) => {
    const [path, query] = split(request.url ?? "/");
    const isFull = maxInflight > 0 && inflight >= maxInflight;
    if (ownPage(request, response, isFull)) return;
    const cleaned = cleanedPath(path);
    if (cleaned !== undefined) {
      response.writeHead(307, { Location: cleaned + query, "Content-Length": "0" }).end();
      return;
    }
    if (isFull) {
      response.writeHead(429, { "Content-Type": "text/plain", "X-Openfaas-Internal": "faas-middleware" });
      response.end("Concurrent request limit exceeded.\n");
      return;
    }
    inflight += 1;
    response.once("close", () => {
      inflight -= 1;
    });
    void pass(request, response);
  });
};
