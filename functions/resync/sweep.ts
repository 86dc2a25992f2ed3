import type { Key } from "../shared/api/key.ts";
import { backOffMs } from "../shared/serve/back-off.ts";
import type { Sink } from "../shared/serve/sink.ts";

export type SweepOptions = {
  readonly sinks: readonly Pick<Sink, "deliver">[];
  /** Keys in flight at once. */
  readonly concurrency: number;
  readonly wait: (ms: number) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
};

/** How many keys were sent everywhere, and how many not. */
export type Swept = { readonly sent: number; readonly failed: number };

/** The next sweep comes anyway, so a sink that is down is not waited for long. */
const TRIES = 4;

const deliverTo = async (
  { deliver }: Pick<Sink, "deliver">,
  key: Key,
  wait: SweepOptions["wait"],
): Promise<boolean> => {
  for (let tries = 1; ; tries += 1) {
    const delivery = await deliver(key);
    if (delivery !== "again" || tries === TRIES) return delivery === "delivered";
    await wait(backOffMs(tries));
  }
};

/** Sends each key once to every sink, several at a time. */
export const sweep = async (
  keys: readonly Key[],
  { sinks, concurrency, wait, random }: SweepOptions,
): Promise<Swept> => {
  // Where sweeps are cut short by a deadline, each begins elsewhere, so that none of the keys is always left out.
  const start = Math.floor(random() * keys.length);
  const line = [...keys.slice(start), ...keys.slice(0, start)].values();
  const counts = { sent: 0, failed: 0 };
  const send = async (): Promise<void> => {
    for (const key of line) {
      const arrived = await Promise.all(sinks.map((sink) => deliverTo(sink, key, wait)));
      counts[arrived.every(Boolean) ? "sent" : "failed"] += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  return counts;
};
