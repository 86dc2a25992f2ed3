import { startGateway } from "../support/openfaas/gateway.ts";
import type { Gateway } from "../support/openfaas/gateway.ts";
import type { Listening } from "../support/openfaas/server.ts";
import { startWatchdog } from "../support/openfaas/watchdog.ts";
import type { WatchdogOptions } from "../support/openfaas/watchdog.ts";

/** Functions behind their watchdogs, behind one gateway. */
export type OpenFaas = AsyncDisposable & {
  readonly gateway: Gateway;
  /** Where a caller finds a function's path. */
  readonly at: (name: string, path?: string) => URL;
};

/** By name: where each function listens, and what its watchdog is told. */
export const startOpenFaas = async (
  functions: Readonly<Record<string, WatchdogOptions>>,
  upstreamMs?: number,
): Promise<OpenFaas> => {
  const watchdogs: (readonly [string, Listening])[] = [];
  for (const [name, options] of Object.entries(functions))
    watchdogs.push([name, await startWatchdog(options)]);
  const gateway = await startGateway({
    functions: Object.fromEntries(watchdogs.map(([name, { url }]) => [name, url])),
    ...(upstreamMs !== undefined && { upstreamMs }),
  });
  return {
    gateway,
    at: (name, path = "/") => new URL(`/function/${name}${path === "/" ? "" : path}`, gateway.url),
    [Symbol.asyncDispose]: async () => {
      for (const each of [gateway, ...watchdogs.map(([, watchdog]) => watchdog)])
        await each[Symbol.asyncDispose]();
    },
  };
};
