import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";

/** What a Service is to the API server: one port before several servers, a connection to each in turn. */
export class Gate {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #ports: readonly number[] = [];
  #turns = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Nobody is behind it yet. */
  static async start(): Promise<Gate> {
    const server = createServer();
    const gate = new Gate(server);
    server.on("connection", (client) => gate.#join(client));
    server.listen(0, "localhost");
    await once(server, "listening");
    return gate;
  }

  /** From now on these answer. */
  leadTo(ports: readonly number[]): void {
    this.#ports = ports;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the gate does not listen");
    return address.port;
  }

  /** How many connections there were. */
  get connections(): number {
    return this.#turns;
  }

  #join(client: Socket): void {
    const port = this.#ports[this.#turns % this.#ports.length];
    if (port === undefined) {
      client.destroy();
      return;
    }
    this.#turns += 1;
    const server = connect(port, "localhost");
    this.#open.add(client);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
    client.on("close", () => this.#open.delete(client));
  }

  /** Ends every connection, and waits until the other side has let go of it. To be called while nothing is asked. */
  async endConnections(): Promise<void> {
    await Promise.all(
      [...this.#open].map(async (client) => {
        client.end();
        if (!client.closed) await once(client, "close");
      }),
    );
  }

  async stop(): Promise<void> {
    await this.endConnections();
    this.#server.close();
  }
}
