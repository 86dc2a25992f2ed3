import { createServer } from "node:net";

/** Whether something can listen there; with `keep` it goes on to, which does not keep the process alive. */
const canListen = (
  where: { port: number; host: string } | { path: string },
  keep: boolean,
): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => {
      resolve(false);
    });
    server.listen(where, () => {
      if (keep) {
        server.unref();
        resolve(true);
      } else {
        server.close(() => {
          resolve(true);
        });
      }
    });
  });

/**
 * Keeps the port for this process among all that choose theirs here, by a name that the kernel gives away once and takes back when the
 * process ends, however it ends. (A socket in Linux's abstract namespace: no file.)
 */
const reserve = (port: number): Promise<boolean> =>
  process.platform === "linux"
    ? canListen({ path: `\0sampledb-test-port-${port}` }, true)
    : Promise.resolve(true);

/**
 * A free port on loopback, below the range that the kernel gives to outgoing connections, which could take it meanwhile. No other
 * process that asks here is given it as long as this one lives, also while nobody listens on it.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await reserve(port)) && (await canListen({ port, host: "127.0.0.1" }, false))) return port;
  }
};
