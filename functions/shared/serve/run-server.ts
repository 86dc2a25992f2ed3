import type { RequestListener } from "node:http";
import { listen } from "./listen.ts";
import { log } from "./log.ts";

export type Running = {
  readonly handler: RequestListener;
  /** Called as soon as the process is asked to end, before requests in flight have finished. */
  readonly onStopping?: () => void;
  /** Called when the last request has finished. */
  readonly onStopped?: () => void | Promise<void>;
};

/** Listens on `PORT` (8080) until SIGTERM or SIGINT; then finishes what is in flight and exits 0. */
export const runServer = async (running: Running, env: NodeJS.ProcessEnv): Promise<void> => {
  const { port, close } = await listen(running.handler, Number(env["PORT"] ?? 8080));
  log({ level: "info", message: "listening", port });
  const stop = async (): Promise<void> => {
    running.onStopping?.();
    await close();
    await running.onStopped?.();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
};
