import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";
import { backOffMs } from "../shared/serve/back-off.ts";
import type { Sink } from "../shared/serve/sink.ts";
import { startOf } from "./start-of.ts";

export type SweepOptions = {
  readonly sinks: readonly Pick<Sink, "deliver">[];
  /** Keys in flight at once. */
  readonly concurrency: number;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Milliseconds since 1970: which key comes first. */
  readonly now: number;
};

/** How many keys were sent everywhere, how many not, and the first few of those. */
export type Swept = { readonly sent: number; readonly failed: number; readonly missed: readonly string[] };

/** The next sweep comes anyway, so a sink that is down is not waited for long. */
const TRIES = 4;
/** So many failed keys are named. */
const NAMED = 5;

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

/** Sends each key once to every sink, several at a time. `keys` are in the same order in every sweep. */
export const sweep = async (
  keys: readonly Key[],
  { sinks, concurrency, wait, now }: SweepOptions,
): Promise<Swept> => {
  const start = startOf(now, keys.length);
  const line = [...keys.slice(start), ...keys.slice(0, start)].values();
  const counts = { sent: 0, failed: 0 };
  const missed: string[] = [];
  const send = async (): Promise<void> => {
    for (const key of line) {
      const arrived = await Promise.all(sinks.map((sink) => deliverTo(sink, key, wait)));
      const hasArrived = arrived.every(Boolean);
      counts[hasArrived ? "sent" : "failed"] += 1;
      if (!hasArrived && missed.length < NAMED) missed.push(keyText(key));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, send));
  return { ...counts, missed };
};
