import http from "node:http";
import https from "node:https";
import { urlToHttpOptions } from "node:url";

/** Where calls go. The path of `base` is put before every call's path. */
export type Target = {
  readonly base: URL;
  readonly tls?: Pick<https.AgentOptions, "ca" | "cert" | "key" | "rejectUnauthorized" | "servername">;
  /** Opens the connections instead, for example through a proxy. */
  readonly agent?: http.Agent;
};

export type Call = {
  readonly method: string;
  /** Path and query, starting with a slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the call, wherever it is: waiting for a connection, sending or reading. */
  readonly signal: AbortSignal;
};

type Head = { readonly status: number; readonly headers: http.IncomingHttpHeaders };
export type Answer = Head & { readonly body: string };
/** An answer that goes on: read `lines` to its end, or abort the call. */
type Stream = Head & { readonly lines: AsyncIterable<string> };

/** The one way out of a process. Every function rejects with an Error when there is no whole answer. */
export type Sender = {
  readonly send: (call: Call) => Promise<Answer>;
  /** Opens a connection of its own, so that a stream never holds up calls. */
  readonly stream: (call: Call) => Promise<Stream>;
  /** Closes idle connections and ends the others. */
  readonly close: () => void;
};

// Load balancers forget idle connections without a word after a minute or more: be first.
const IDLE_MS = 30_000;

/** The other side closed a kept connection just when it was used again: nothing was answered, so the call may be repeated. */
class StaleConnection extends Error {}

const isStale = (outgoing: http.ClientRequest, cause: NodeJS.ErrnoException): boolean =>
  outgoing.reusedSocket && (cause.code === "ECONNRESET" || cause.code === "EPIPE");

/** The part of a request's options that is the same for every call. */
type Server = Pick<https.RequestOptions, "protocol" | "hostname" | "port"> & { readonly prefix: string };

const serverOf = (base: URL): Server => {
  const { protocol, hostname, port } = urlToHttpOptions(base);
  return { protocol, hostname, port, prefix: base.pathname.replace(/\/$/u, "") };
};

const request = (server: Server, agent: http.Agent, call: Call): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { signal } = call;
    signal.throwIfAborted();
    const { protocol, hostname, port, prefix } = server;
    const length = call.body === undefined ? {} : { "content-length": `${Buffer.byteLength(call.body)}` };
    const outgoing = (protocol === "https:" ? https : http).request({
      protocol,
      hostname,
      port,
      path: prefix + call.path,
      method: call.method,
      headers: { ...length, ...call.headers },
      agent,
    });
    // Not the request's own `signal`: a request that waits for a connection would hear of it only when it has one.
    const abort = (): void => {
      outgoing.destroy(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    outgoing.once("close", () => signal.removeEventListener("abort", abort));
    outgoing.once("response", resolve);
    // Not once: a second error after the first would end the process.
    outgoing.on("error", (cause) => {
      reject(isStale(outgoing, cause) ? new StaleConnection("stale connection", { cause }) : cause);
    });
    outgoing.end(call.body);
  });

async function* linesOf(message: http.IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of message.setEncoding("utf8")) {
    const lines = `${rest}${String(chunk)}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  if (rest !== "") yield rest;
}

// By events: iterating takes as long as all the rest of a call.
const textOf = (message: http.IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    message.setEncoding("utf8");
    message.on("data", (chunk: string) => {
      text += chunk;
    });
    message.once("end", () => resolve(text));
    message.on("error", reject);
    message.once("close", () => reject(new Error("the answer was cut off")));
  });

const headOf = (message: http.IncomingMessage): Head => ({
  status: message.statusCode ?? 0,
  headers: message.headers,
});

/** A sender to one target that keeps at most `maxConnections` connections for its calls; further calls wait for one of them. */
export const sender = (target: Target, maxConnections: number): Sender => {
  const server = serverOf(target.base);
  const isTls = target.base.protocol === "https:";
  const options = { ...target.tls, keepAlive: true, maxSockets: maxConnections, timeout: IDLE_MS };
  const agent = target.agent ?? (isTls ? new https.Agent(options) : new http.Agent(options));
  // One agent for all streams: it caches TLS sessions, but never shares a connection.
  const streams =
    target.agent ?? (isTls ? new https.Agent({ ...target.tls, keepAlive: false }) : new http.Agent());
  const sendOnce = async (call: Call): Promise<Answer> => {
    const message = await request(server, agent, call);
    return { ...headOf(message), body: await textOf(message) };
  };
  return {
    send: async (call) => {
      try {
        return await sendOnce(call);
      } catch (cause) {
        if (!(cause instanceof StaleConnection)) throw cause;
        return sendOnce(call);
      }
    },
    stream: async (call) => {
      const message = await request(server, streams, call);
      message.socket.setKeepAlive(true, IDLE_MS);
      return { ...headOf(message), lines: linesOf(message) };
    },
    close: () => {
      agent.destroy();
      streams.destroy();
    },
  };
};
