import { createServer } from "node:http";
import { once } from "node:events";

export type Sink = AsyncDisposable & {
  readonly url: string;
  /** Whose deliveries are answered after so many milliseconds; the others are at once. */
  readonly hold: (names: ReadonlySet<string>, ms: number) => void;
};

/** A local sink that tells at once of each delivery. */
export const startSink = async (onDelivery: (name: string) => void): Promise<Sink> => {
  let held: ReadonlySet<string> = new Set();
  let holdMs = 0;
  const server = createServer((request, response) => {
    const name = String(request.headers["ce-name"]);
    onDelivery(name);
    const answer = (): void => void response.writeHead(204).end();
    if (held.has(name)) setTimeout(answer, holdMs);
    else answer();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    hold: (names, ms) => {
      held = names;
      holdMs = ms;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};
