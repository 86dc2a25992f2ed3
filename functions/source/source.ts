import { CHILD_KINDS } from "../shared/api/child-kinds.ts";
import type { Key } from "../shared/api/key.ts";
import { LABEL } from "../shared/api/markers.ts";
import type { ApiServer } from "../shared/kube/api-server.ts";
import type { Kind } from "../shared/kube/kinds.ts";
import type { Selection } from "../shared/kube/metadata.ts";
import { backOffMs } from "../shared/serve/back-off.ts";
import type { Sink } from "../shared/serve/sink.ts";
import { follow } from "./follow.ts";
import { KeyQueue } from "./key-queue.ts";
import { teller } from "./teller.ts";

const SELECTIONS: readonly Selection[] = [
  { kind: "SampleDB" },
  ...CHILD_KINDS.map((kind) => ({ kind, labelSelector: LABEL.database })),
];

/** Long enough for most echoes of a pass, too short to be noticed. */
const REST_MS = 100;

/** A kind that is refused or not installed yet is asked for again at least this often: somebody waits for it. */
const LONGEST_RETRY_MS = 10_000;

export type SourceOptions = {
  readonly api: ApiServer;
  /** Each gets every key, at its own pace. */
  readonly sinks: readonly Pick<Sink, "deliver">[];
  /** Keys in flight to a sink at once. */
  readonly concurrency: number;
  readonly wait: (ms: number) => Promise<unknown>;
  /** A watch that says nothing for so long is begun anew, in milliseconds. */
  readonly silenceMs: number;
};

export type Source = {
  /** Every kind is followed, so whatever existed at the start has been or is being told, and changes are heard of. */
  readonly isReady: () => boolean;
  /** Keys that wait or are in flight. */
  readonly size: () => number;
  readonly stop: () => Promise<void>;
};

/** Watches SampleDBs and their children, and delivers the key of each that changed. On the start and after every gap: of each that exists. */
export const startSource = ({ api, sinks, concurrency, wait, silenceMs }: SourceOptions): Source => {
  const stopping = new AbortController();
  const queues = sinks.map(
    ({ deliver }) => new KeyQueue({ deliver, concurrency, backOffMs, wait, restMs: REST_MS }),
  );
  const tell = (key: Key): void => {
    for (const queue of queues) queue.add(key);
  };
  const toldBy = teller(tell, wait);
  const healthy = new Set<Kind>();
  const followers = SELECTIONS.map((selection) =>
    follow({
      api,
      selection,
      ...toldBy(selection.kind),
      onHealth: (isHealthy) =>
        void (isHealthy ? healthy.add(selection.kind) : healthy.delete(selection.kind)),
      backOffMs: (failures) => backOffMs(failures, Math.random, LONGEST_RETRY_MS),
      wait,
      silenceMs,
      signal: stopping.signal,
    }),
  );
  return {
    isReady: () => healthy.size === SELECTIONS.length,
    size: () => Math.max(...queues.map(({ size }) => size)),
    stop: async () => {
      stopping.abort();
      await Promise.all([...queues.map((queue) => queue.stop()), ...followers]);
    },
  };
};
