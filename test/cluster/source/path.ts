import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { request } from "node:https";
import { once } from "node:events";
import type { Socket } from "node:net";

/** The way to the API server, over plain HTTP, which can fail in every way that a network and what stands in it do. */
export type Path = AsyncDisposable & {
  readonly url: string;
  /** Path and query of every request. */
  readonly requests: readonly string[];
  /** Watches that were answered and have not ended. */
  readonly watches: () => number;
  /** Resets every connection. New ones are taken. */
  readonly cut: () => void;
  /** Resets every connection, new ones too, until `open`. */
  readonly close: () => void;
  readonly open: () => void;
  /** What is open now stays open and says nothing more. New connections work. */
  readonly stall: () => void;
  /** Of the next thing that a watch says half comes through, then its connection is reset. */
  readonly halve: () => void;
  /** Says this in every watch. */
  readonly inject: (text: string) => void;
};

type State = { isClosed: boolean; isHalving: boolean };

/** One answer on its way. */
type Passing = { readonly response: ServerResponse; readonly isWatch: boolean; isStalled: boolean };

const passOn = (state: State, passing: Passing, chunk: Buffer): void => {
  const { response, isWatch, isStalled } = passing;
  if (isStalled) return;
  if (!isWatch || !state.isHalving) {
    response.write(chunk);
    return;
  }
  state.isHalving = false;
  passing.isStalled = true;
  response.write(chunk.subarray(0, chunk.length / 2), () => response.socket?.resetAndDestroy());
};

/** Opens a way to the API server at `server`, whose certificate `ca` signed. Credentials are the client's. */
export const openPath = async (server: string, ca: string): Promise<Path> => {
  const state: State = { isClosed: false, isHalving: false };
  const sockets = new Set<Socket>();
  const passings = new Set<Passing>();
  const requests: string[] = [];
  const watches = (): readonly Passing[] => [...passings].filter(({ isWatch }) => isWatch);

  const answer = (passing: Passing, incoming: IncomingMessage): void => {
    const { response } = passing;
    passings.add(passing);
    response.writeHead(incoming.statusCode ?? 0, incoming.headers);
    response.flushHeaders();
    incoming.on("data", (chunk: Buffer) => passOn(state, passing, chunk));
    incoming.once("end", () => {
      if (!passing.isStalled) response.end();
    });
    incoming.once("error", () => response.destroy());
  };

  const proxy = createServer((incoming, response) => {
    const path = incoming.url ?? "/";
    requests.push(path);
    const { method, headers } = incoming;
    const outgoing = request(new URL(path, server), { method: method ?? "", headers, ca });
    const passing = { response, isWatch: path.includes("watch=true"), isStalled: false };
    outgoing.once("response", (message) => answer(passing, message));
    outgoing.on("error", () => response.destroy());
    response.once("close", () => {
      passings.delete(passing);
      outgoing.destroy();
    });
    incoming.pipe(outgoing);
  });
  proxy.on("connection", (socket) => {
    if (state.isClosed) {
      socket.resetAndDestroy();
      return;
    }
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    requests,
    watches: () => watches().filter(({ isStalled }) => !isStalled).length,
    cut,
    close: () => {
      state.isClosed = true;
      cut();
    },
    open: () => {
      state.isClosed = false;
    },
    stall: () => {
      for (const passing of passings) passing.isStalled = true;
    },
    halve: () => {
      state.isHalving = true;
    },
    inject: (text) => {
      for (const { response } of watches()) response.write(text);
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(proxy, "close");
      proxy.close();
      cut();
      await closed;
    },
  };
};
