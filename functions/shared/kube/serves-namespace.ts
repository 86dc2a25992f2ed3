import type { Release } from "../api/release.ts";
import type { ApiServer } from "./api-server.ts";
import { reader } from "./reader.ts";

/** So long a yes counts: the passes of a burst share one read. A no does not: an event may come right after the label that makes it a yes. */
const COUNTS_MS = 2000;

/** Whether a namespace is this process's to look after, as its labels say now. Throws a Fault. */
export type ServesNamespace = (namespace: string, signal: AbortSignal) => Promise<boolean>;

/** By the labels of the namespace, read from `api`. A namespace that is gone is nobody's. `now` in milliseconds, ever growing. */
export const servesNamespace = (
  api: ApiServer,
  release: Release,
  now: () => number = () => performance.now(),
): ServesNamespace => {
  const servedUntil = new Map<string, number>();
  return async (namespace, signal) => {
    const asked = now();
    if (asked < (servedUntil.get(namespace) ?? 0)) return true;
    const found = await reader(api, signal).get("Namespace", namespace, undefined);
    const isServed = found !== undefined && release.serves(found.metadata?.labels ?? {});
    if (isServed) servedUntil.set(namespace, asked + COUNTS_MS);
    else servedUntil.delete(namespace);
    return isServed;
  };
};
