import { CHILD_KINDS } from "../shared/api/child-kinds.ts";
import type { Key } from "../shared/api/key.ts";
import { LABEL } from "../shared/api/markers.ts";
import type { Release } from "../shared/api/release.ts";
import type { ApiServer } from "../shared/kube/api-server.ts";
import type { Kind } from "../shared/kube/kinds.ts";
import type { Selection } from "../shared/kube/metadata.ts";
import { backOffMs } from "../shared/serve/back-off.ts";
import type { Sink } from "../shared/serve/sink.ts";
import { follow } from "./follow.ts";
import { KeyQueue } from "./key-queue.ts";
import { servedNamespaces } from "./served-namespaces.ts";
import { teller } from "./teller.ts";

const SELECTIONS: readonly Selection[] = [
  { kind: "SampleDB" },
  ...CHILD_KINDS.map((kind) => ({ kind, labelSelector: LABEL.database })),
];

const namespacesOf = ({ selector }: Release): Selection => ({ kind: "Namespace", labelSelector: selector });

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
  /** Whose namespaces; undefined: every one is. */
  readonly release?: Release | undefined;
};

export type Source = {
  /** Every kind is followed, so whatever existed at the start has been or is being told, and changes are heard of. */
  readonly isReady: () => boolean;
  /** Keys that wait or are in flight. */
  readonly size: () => number;
  readonly stop: () => Promise<void>;
};

/** Watches SampleDBs and their children, and delivers the key of each that changed. On the start and after every gap: of each that exists. */
export const startSource = (options: SourceOptions): Source => {
  const { api, sinks, concurrency, wait, silenceMs, release } = options;
  const stopping = new AbortController();
  const queues = sinks.map(
    ({ deliver }) => new KeyQueue({ deliver, concurrency, backOffMs, wait, restMs: REST_MS }),
  );
  const served = servedNamespaces((namespace) => told.tellAllIn(namespace));
  const tell = (key: Key): void => {
    if (release !== undefined && !served.has(key.namespace)) return;
    for (const queue of queues) queue.add(key);
  };
  const told = teller(tell, wait);
  const healthy = new Set<Kind>();
  const followed = (selection: Selection, listener: ReturnType<typeof told.of>): Promise<void> =>
    follow({
      api,
      selection,
      ...listener,
      onHealth: (isHealthy) =>
        void (isHealthy ? healthy.add(selection.kind) : healthy.delete(selection.kind)),
      backOffMs: (failures) => backOffMs(failures, Math.random, LONGEST_RETRY_MS),
      wait,
      silenceMs,
      signal: stopping.signal,
    });
  const followAll = async (): Promise<void> => {
    const namespaces = release && followed(namespacesOf(release), served.listener);
    // What is told before it is known whose it is would be lost; the first ends where it is to stop before.
    if (namespaces !== undefined) await Promise.race([namespaces, served.listed]);
    await Promise.all([
      namespaces,
      ...SELECTIONS.map((selection) => followed(selection, told.of(selection.kind))),
    ]);
  };
  const followers = followAll();
  return {
    isReady: () => healthy.size === SELECTIONS.length + (release === undefined ? 0 : 1),
    size: () => Math.max(...queues.map(({ size }) => size)),
    stop: async () => {
      stopping.abort();
      await Promise.all([...queues.map((queue) => queue.stop()), followers]);
    },
  };
};
