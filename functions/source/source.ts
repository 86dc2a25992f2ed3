import type { Key } from "../shared/api/key.ts";
import { LABEL } from "../shared/api/markers.ts";
import type { ApiServer } from "../shared/kube/api-server.ts";
import type { Kind } from "../shared/kube/kinds.ts";
import { listMetadata } from "../shared/kube/metadata.ts";
import type { Selection } from "../shared/kube/metadata.ts";
import { backOffMs } from "../shared/serve/back-off.ts";
import { log } from "../shared/serve/log.ts";
import type { Sink } from "../shared/serve/sink.ts";
import { follow } from "./follow.ts";
import { keyOf } from "../shared/api/key-of.ts";
import { KeyQueue } from "./key-queue.ts";

/** Kinds of children: their changes concern the SampleDB that their label names. */
const CHILDREN: readonly Kind[] = [
  "Secret",
  "ConfigMap",
  "Service",
  "PersistentVolumeClaim",
  "StatefulSet",
  "Job",
  "Pod",
  "PodDisruptionBudget",
];

const SELECTIONS: readonly Selection[] = [
  { kind: "SampleDB" },
  ...CHILDREN.map((kind) => ({ kind, labelSelector: LABEL.database })),
];

export type SourceOptions = {
  readonly api: ApiServer;
  /** Each gets every key, at its own pace. */
  readonly sinks: readonly Pick<Sink, "deliver">[];
  /** Keys in flight to a sink at once. */
  readonly concurrency: number;
  readonly wait: (ms: number) => Promise<unknown>;
};

export type Source = {
  /** Every kind has been listed: whatever existed at the start has been or is being told. */
  readonly isReady: () => boolean;
  /** Keys that wait or are in flight. */
  readonly size: () => number;
  readonly stop: () => Promise<void>;
};

/** A child that went away unseen is in no list of its kind: its SampleDB has to be looked at all the same. */
const tellSampleDBs = async (
  api: ApiServer,
  tell: (key: Key) => void,
  signal: AbortSignal,
): Promise<void> => {
  for await (const { items } of listMetadata(api, { kind: "SampleDB" }, signal)) {
    for (const item of items) {
      const key = keyOf("SampleDB", item);
      if (key !== undefined) tell(key);
    }
  }
};

/** Watches SampleDBs and their children, and delivers the key of each that changed. On the start and after every gap: of each that exists. */
export const startSource = ({ api, sinks, concurrency, wait }: SourceOptions): Source => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const queues = sinks.map(({ deliver }) => new KeyQueue({ deliver, concurrency, backOffMs, wait }));
  const tell = (key: Key): void => {
    for (const queue of queues) queue.add(key);
  };
  const listed = new Set<Kind>();
  const onListed = async (kind: Kind, isFirst: boolean): Promise<void> => {
    listed.add(kind);
    if (isFirst || kind === "SampleDB") return;
    try {
      await tellSampleDBs(api, tell, signal);
    } catch (cause) {
      // The timer's sweep finds what this list would have.
      log({ level: "warning", message: cause instanceof Error ? cause.message : String(cause), kind });
    }
  };
  const followers = SELECTIONS.map((selection) =>
    follow({
      api,
      selection,
      onKey: tell,
      onListed: (isFirst) => void onListed(selection.kind, isFirst),
      backOffMs,
      wait,
      signal,
    }),
  );
  return {
    isReady: () => listed.size === SELECTIONS.length,
    size: () => Math.max(...queues.map(({ size }) => size)),
    stop: async () => {
      stopping.abort();
      await Promise.all([...queues.map((queue) => queue.stop()), ...followers]);
    },
  };
};
