import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { ReadAccess } from "../../functions/shared/kube/access.ts";

export type FakeRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type FakeAnswer =
  | {
      readonly status?: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      /** Lines of a watch. The connection stays open after them unless `ends`. */
      readonly lines?: readonly object[];
      readonly ends?: boolean;
      /** Written after the lines as it is: half a line, or no JSON. */
      readonly text?: string;
    }
  /** No answer, ever. */
  | "hang"
  /** The connection is cut without an answer. */
  | "cut"
  /** The connection is cut in the middle of an answer. */
  | "cut short";

/** An HTTP server in place of the API server (or of a sink) that answers as told. */
export type FakeApiServer = AsyncDisposable & {
  readonly url: string;
  readonly readAccess: ReadAccess;
  readonly requests: readonly FakeRequest[];
  /** Connections: opened in all, at most at once, and now. */
  readonly connections: { readonly total: number; readonly most: number; readonly now: number };
  /** Ends every connection and refuses new ones, until `up` listens at the same address again. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
};

/** In PEM; without it the server speaks plain HTTP. */
type Tls = { readonly cert: string; readonly key: string };

const readBody = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
};

const disappoint = (response: ServerResponse, socket: Socket, how: FakeAnswer & string): void => {
  if (how === "cut") socket.destroy();
  if (how !== "cut short") return;
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"metadata":{', () => socket.destroy());
};

const respond = (response: ServerResponse, socket: Socket, answer: FakeAnswer): void => {
  if (typeof answer === "string") {
    disappoint(response, socket, answer);
    return;
  }
  const { status = 200, body = {}, headers, lines, ends, text } = answer;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  if (lines === undefined) {
    response.end(status === 204 ? undefined : JSON.stringify(body));
    return;
  }
  response.flushHeaders();
  for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
  if (text !== undefined) response.write(text);
  if (ends === true) response.end();
};

const serverFor = (handle: RequestListener, tls: Tls | undefined): Server =>
  tls === undefined ? createServer(handle) : createHttpsServer(tls, handle);

/** Listens on `port` (0: any free one) and tells on which. */
const listening = async (server: Server, port: number): Promise<number> => {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

const closed = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const end = once(server, "close");
  server.close();
  server.closeAllConnections();
  await end;
};

export const fakeApiServer = async (
  answer: (request: FakeRequest, nth: number) => FakeAnswer | Promise<FakeAnswer>,
  tls?: Tls,
): Promise<FakeApiServer> => {
  const requests: FakeRequest[] = [];
  const connections = { total: 0, most: 0, now: 0 };
  const sockets = new Set<Socket>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake");
    const seen: FakeRequest = {
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await readBody(request),
    };
    requests.push(seen);
    respond(response, request.socket, await answer(seen, requests.length - 1));
  };
  const server = serverFor((request, response) => void handle(request, response), tls);
  server.on("connection", (socket) => {
    sockets.add(socket);
    connections.total += 1;
    connections.now = sockets.size;
    connections.most = Math.max(connections.most, connections.now);
    socket.once("close", () => {
      sockets.delete(socket);
      connections.now = sockets.size;
    });
  });
  const port = await listening(server, 0);
  const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`;
  return {
    url,
    requests,
    connections,
    readAccess: () =>
      Promise.resolve({ target: { base: new URL(url) }, headers: { authorization: "Bearer t" } }),
    down: () => closed(server),
    up: async () => {
      await listening(server, port);
    },
    [Symbol.asyncDispose]: () => closed(server),
  };
};

/** A failure as the API server words it. */
export const failure = (status: number, reason: string, details: object = {}): FakeAnswer => ({
  status,
  body: { kind: "Status", status: "Failure", reason, message: `because ${reason}`, code: status, details },
});
