import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import { listen } from "./listen.ts";
import { log } from "./log.ts";
import { stopSignals } from "./stop-signals.ts";
import { secureServer, tlsFiles } from "./tls-files.ts";

export type Running = {
  readonly handler: RequestListener;
  /** Called as soon as the process is asked to end, before requests in flight have finished. */
  readonly onStopping?: () => void;
  /** Called when the last request has finished. */
  readonly onStopped?: () => void | Promise<void>;
};

const serverFor = (handler: RequestListener, env: NodeJS.ProcessEnv): Server => {
  const files = tlsFiles(env);
  return files === undefined ? createServer(handler) : secureServer(files, handler).server;
};

/**
 * Listens on `PORT` (8080), with TLS where `TLS_CERT_FILE` and `TLS_KEY_FILE` are set, until SIGTERM (see stop-signals.ts) or SIGINT; then
 * finishes what is in flight and exits 0.
 */
export const runServer = async (running: Running, env: NodeJS.ProcessEnv): Promise<void> => {
  const signals = stopSignals(env);
  const { port, close } = await listen(serverFor(running.handler, env), Number(env["PORT"] ?? 8080));
  log({ level: "info", message: "listening", port });
  const stop = async (): Promise<void> => {
    running.onStopping?.();
    await close();
    await running.onStopped?.();
    log({ level: "info", message: "ended" });
    process.exit(0);
  };
  for (const signal of signals) process.once(signal, () => void stop());
};
