import { setTimeout as wait } from "node:timers/promises";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";

/** When one change was answered, seen by the bare watch, and delivered, in milliseconds of one clock. */
type Times = { answered?: number; seen?: number; delivered?: number };

export type Changes = {
  readonly seen: (name: string) => void;
  readonly delivered: (name: string) => void;
  /** Changes the ConfigMaps of these names in turn, at a steady rate, for so long. Waits until each was delivered. */
  readonly run: (names: readonly string[], seconds: number, perSecond: number) => Promise<readonly Times[]>;
};

const change = async (api: ApiServer, namespace: string, name: string): Promise<void> => {
  const path = pathOf("ConfigMap", { namespace, name });
  const body = { metadata: { annotations: { "example.com/changed": `${performance.now()}` } } };
  const signal = AbortSignal.timeout(60_000);
  await api.call({ method: "PATCH", path, contentType: "application/merge-patch+json", body, signal });
};

const allDelivered = async (all: readonly Times[]): Promise<void> => {
  const end = performance.now() + 120_000;
  while (all.some(({ delivered, seen }) => delivered === undefined || seen === undefined)) {
    if (performance.now() > end) throw new Error("some changes were not delivered within two minutes");
    await wait(50);
  }
};

/** Changes of ConfigMaps through several clients, and what becomes of them. */
export const changes = (apis: readonly ApiServer[], namespace: string): Changes => {
  /** Changes that are under way; one delivery may stand for several. */
  const open = new Map<string, Times[]>();
  const mark = (name: string, what: "seen" | "delivered"): void => {
    const now = performance.now();
    for (const times of open.get(name) ?? []) times[what] ??= now;
  };
  const run = async (names: readonly string[], seconds: number, perSecond: number): Promise<Times[]> => {
    const all: Times[] = [];
    const running: Promise<void>[] = [];
    const started = performance.now();
    for (let i = 0; i < seconds * perSecond; i += 1) {
      await wait(Math.max(0, started + (i * 1000) / perSecond - performance.now()));
      const [name = "", api] = [names[i % names.length], apis[i % apis.length]];
      if (api === undefined) throw new Error("there is no client");
      const times: Times = {};
      const others =
        open.get(name)?.filter(({ seen, delivered }) => seen === undefined || delivered === undefined) ?? [];
      open.set(name, [...others, times]);
      all.push(times);
      const done = async (): Promise<void> => {
        await change(api, namespace, name);
        times.answered = performance.now();
      };
      running.push(done());
    }
    await Promise.all(running);
    await allDelivered(all);
    return all;
  };
  return {
    seen: (name) => mark(name, "seen"),
    delivered: (name) => mark(name, "delivered"),
    run,
  };
};
