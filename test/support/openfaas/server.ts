import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { Socket } from "node:net";

export type Listening = AsyncDisposable & {
  readonly url: string;
  /** Resets every connection, as when the pod is deleted and does not drain. New ones are taken. */
  readonly cut: () => void;
};

/** Serves on any free port. */
export const serve = async (handler: RequestListener): Promise<Listening> => {
  const server = createServer(handler);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
