import { once } from "node:events";
import type { Server } from "node:http";

export type Listening = {
  readonly port: number;
  /** Stops listening, waits for what is in flight, then closes. */
  readonly close: () => Promise<void>;
};

// Go clients, the API server's and Knative's among them, keep idle connections for 90 s: never be the one that closes first.
const KEEP_ALIVE_MS = 95_000;
const HEADERS_MS = 100_000;
/** Longer than the longest pass, shorter than the 30 s after which the kubelet kills. */
const DRAIN_MS = 20_000;
const SWEEP_MS = 50;

const closed = async (server: Server): Promise<void> => {
  const end = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose last answer was given after close() would idle on.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await end;
  clearInterval(sweep);
  clearTimeout(limit);
};

/** Makes `server` listen on `port` (0: any free one), on all addresses. */
export const listen = async (server: Server, port: number): Promise<Listening> => {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = HEADERS_MS;
  server.listen(port);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () => closed(server),
  };
};
