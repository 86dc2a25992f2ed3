import type { IncomingMessage } from "node:http";

/** An UPDATE carries two objects, each up to the API server's 3 MiB, in an envelope. */
export const MAX_REVIEW_BYTES = 7 * 2 ** 20;

/** The API server's default when a call names no timeout. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** Milliseconds in which a call must be answered: a little less than what its `?timeout=` (a Go duration such as `10s`) allows. */
export const answerWithin = (url: URL): number => {
  const match = /^(\d+)(ms|s)$/u.exec(url.searchParams.get("timeout") ?? "");
  const allowed = match === null ? DEFAULT_TIMEOUT_MS : Number(match[1]) * (match[2] === "s" ? 1000 : 1);
  return Math.floor(allowed * 0.9);
};

export type Body = { readonly text: string } | { readonly refused: "too large" | "too late" | "cut off" };

/** Reads a body whole, unless it exceeds the limit or the time (milliseconds), or the sender goes away. Never rejects. */
export const readBody = async (request: IncomingMessage, withinMs: number): Promise<Body> => {
  const { promise, resolve } = Promise.withResolvers<Body>();
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => resolve({ refused: "too late" }), withinMs);
  // By events: leaving a `for await` early would destroy the connection that the answer needs.
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_REVIEW_BYTES) chunks.push(chunk);
    else resolve({ refused: "too large" });
  });
  request.on("end", () => resolve({ text: Buffer.concat(chunks).toString("utf8") }));
  request.on("error", () => resolve({ refused: "cut off" }));
  const body = await promise;
  clearTimeout(timer);
  return body;
};
