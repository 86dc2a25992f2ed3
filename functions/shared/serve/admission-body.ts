import type { IncomingMessage } from "node:http";

/**
 * An UPDATE carries two objects: one of up to the API server's 3 MiB, to which managedFields may add nearly as much again, and one that etcd
 * holds (1.5 MiB).
 */
export const MAX_REVIEW_BYTES = 8 * 2 ** 20;

export type Body = { readonly bytes: Buffer } | { readonly refused: "too large" | "too late" | "cut off" };

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
  request.on("end", () => resolve({ bytes: Buffer.concat(chunks) }));
  request.on("error", () => resolve({ refused: "cut off" }));
  // Gone while it waited for its turn: nothing will be told of it any more.
  if (request.destroyed) resolve({ refused: "cut off" });
  const body = await promise;
  clearTimeout(timer);
  return body;
};
