import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
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
    }
  /** No answer, ever. */
  | "hang"
  /** The connection is cut without an answer. */
  | "cut";

/** An HTTP server in place of the API server (or of a sink) that answers as told. */
export type FakeApiServer = AsyncDisposable & {
  readonly url: string;
  readonly readAccess: ReadAccess;
  readonly requests: readonly FakeRequest[];
  /** Connections: opened in all, and at most at once. */
  readonly connections: { readonly total: number; readonly most: number };
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
};

const respond = (response: ServerResponse, socket: Socket, answer: FakeAnswer): void => {
  if (answer === "hang") return;
  if (answer === "cut") {
    socket.destroy();
    return;
  }
  const { status = 200, body = {}, headers, lines, ends } = answer;
  response.writeHead(status, { "content-type": "application/json", ...headers });
  if (lines === undefined) {
    response.end(status === 204 ? undefined : JSON.stringify(body));
    return;
  }
  response.flushHeaders();
  for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
  if (ends === true) response.end();
};

export const fakeApiServer = async (
  answer: (request: FakeRequest, nth: number) => FakeAnswer | Promise<FakeAnswer>,
): Promise<FakeApiServer> => {
  const requests: FakeRequest[] = [];
  const connections = { total: 0, most: 0 };
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
  const server = createServer((request, response) => void handle(request, response));
  server.on("connection", (socket) => {
    sockets.add(socket);
    connections.total += 1;
    connections.most = Math.max(connections.most, sockets.size);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url,
    requests,
    connections,
    readAccess: () =>
      Promise.resolve({ target: { base: new URL(url) }, headers: { authorization: "Bearer t" } }),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};

/** A failure as the API server words it. */
export const failure = (status: number, reason: string, details: object = {}): FakeAnswer => ({
  status,
  body: { kind: "Status", status: "Failure", reason, message: `because ${reason}`, code: status, details },
});
