import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ReadAccess } from "../../../functions/shared/kube/access.ts";
import { sender } from "../../../functions/shared/serve/send.ts";

/** A call of a function to the API server. */
export type ProxiedCall = { readonly method: string; readonly path: string; readonly body: string };

/** What to do with a call. It is passed on when `when` says so; `after` is told when the API server has answered and the function has not heard of it yet, which it does when `after` is done. */
export type Verdict =
  | { readonly do: "pass"; readonly when?: () => Promise<unknown>; readonly after?: () => unknown }
  | { readonly do: "answer"; readonly status: number; readonly retryAfter?: string }
  /** The connection ends without an answer, before the API server got the call or after it carried it out. */
  | { readonly do: "cut"; readonly when: "before" | "after" };

export type ApiProxy = AsyncDisposable & {
  readonly url: string;
  /** Set to judge each call. */
  judge: (call: ProxiedCall) => Verdict;
  /** Calls that the API server works on now. */
  readonly inFlight: () => number;
};

const CONNECTIONS = 4;

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
};

const answer = (
  response: ServerResponse,
  { status, retryAfter }: Extract<Verdict, { do: "answer" }>,
): void => {
  const headers = {
    "content-type": "application/json",
    ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  };
  response.writeHead(status, headers);
  response.end(
    JSON.stringify({ kind: "Status", status: "Failure", code: status, message: "by the simulator" }),
  );
};

/** An HTTP server in front of a real API server that passes calls on, as who `readAccess` says, unless it is told otherwise. */
export const apiProxy = async (readAccess: ReadAccess): Promise<ApiProxy> => {
  const { target, headers: credentials } = await readAccess();
  const { send, close } = sender(target, CONNECTIONS);
  let inFlight = 0;
  const forward = async ({ method, url = "/", headers }: IncomingMessage, body: string) => {
    inFlight += 1;
    try {
      const { accept = "application/json", "content-type": type, "user-agent": agent = "" } = headers;
      return await send({
        method: method ?? "GET",
        path: url,
        headers: {
          ...credentials,
          accept,
          "user-agent": agent,
          ...(type === undefined ? {} : { "content-type": type }),
        },
        ...(body === "" ? {} : { body }),
        signal: AbortSignal.timeout(60_000),
      });
    } finally {
      inFlight -= 1;
    }
  };
  const carryOn = async (
    request: IncomingMessage,
    response: ServerResponse,
    {
      body,
      verdict,
    }: { readonly body: string; readonly verdict: Exclude<Verdict, { readonly do: "answer" }> },
  ): Promise<void> => {
    if (verdict.do === "pass") await verdict.when?.();
    const { status, headers, body: text } = await forward(request, body);
    if (verdict.do === "cut") {
      request.socket.destroy();
      return;
    }
    await verdict.after?.();
    response.writeHead(status, { "content-type": headers["content-type"] ?? "application/json" });
    response.end(text);
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request);
    const verdict = proxy.judge({ method: request.method ?? "", path: request.url ?? "", body });
    if (verdict.do === "answer") answer(response, verdict);
    else if (verdict.do === "cut" && verdict.when === "before") request.socket.destroy();
    else await carryOn(request, response, { body, verdict });
  };
  const server = createServer((request, response) => {
    // A process that was killed hears no answer; an API server that cannot be reached answers nobody.
    handle(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 95_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const proxy: ApiProxy = {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    judge: () => ({ do: "pass" }),
    inFlight: () => inFlight,
    [Symbol.asyncDispose]: async () => {
      close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return proxy;
};
