import { once } from "node:events";
import { request } from "node:http";
import type { Agent, IncomingMessage } from "node:http";
import type { HeaderLines } from "./go-headers.ts";
import { forNode } from "./go-headers.ts";

export type Forward = {
  readonly incoming: IncomingMessage;
  /** Of the next server. */
  readonly base: string;
  /** Path and query, byte for byte. */
  readonly path: string;
  readonly headers: HeaderLines;
  readonly agent: Agent;
  readonly signal: AbortSignal;
};

/** Whether the message has a body. Of one without, `Content-Length: 0` is passed on; any other one's length is forgotten. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Passes a request on as Go's proxies do, with its body in chunks; resolves with the answer's head. Rejects where there is none. */
export const forward = async (call: Forward): Promise<IncomingMessage> => {
  const { incoming, base, path, headers, agent, signal } = call;
  const { hostname, port } = new URL(base);
  const framing = hasBody(incoming) ? { "Transfer-Encoding": "chunked" } : { "Content-Length": "0" };
  const outgoing = request({
    hostname,
    port,
    path,
    method: incoming.method,
    headers: { ...forNode(headers), ...framing },
    agent,
    signal,
  });
  outgoing.on("error", () => {
    // Told by once(), or after the answer, when nobody asks any more.
  });
  if (hasBody(incoming)) incoming.pipe(outgoing);
  else outgoing.end();
  const [answer]: IncomingMessage[] = await once(outgoing, "response", { signal });
  if (answer === undefined) throw new Error("there was no answer");
  return answer;
};
