import { keyOf } from "../shared/api/key-of.ts";
import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";
import { LABEL } from "../shared/api/markers.ts";
import type { Release } from "../shared/api/release.ts";
import type { ObjectMeta } from "../shared/api/sampledb.ts";
import type { ApiServer } from "../shared/kube/api-server.ts";
import { Fault } from "../shared/kube/fault.ts";
import { listMetadata } from "../shared/kube/metadata.ts";
import type { Selection } from "../shared/kube/metadata.ts";
import { backOffMs } from "../shared/serve/back-off.ts";

/** What may outlive its SampleDB, or be left behind by a deletion that was cut short; not what one left on purpose. */
const ORPHANS = { labelSelector: `${LABEL.database},${LABEL.retained}!=true` };

const SELECTIONS: readonly Selection[] = [
  { kind: "SampleDB" },
  { kind: "PersistentVolumeClaim", ...ORPHANS },
  { kind: "Secret", ...ORPHANS },
  { kind: "StatefulSet", ...ORPHANS },
];

/** The next sweep comes anyway, so an API server that is down is not waited for long. */
const TRIES = 5;
/** A bound on one try of one list, with all its pages. */
const LIST_MS = 30_000;

export type ReadOptions = {
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  /** Of whose namespaces; undefined: every one. */
  readonly release?: Release | undefined;
  readonly wait: (ms: number) => Promise<unknown>;
};

/** Keys in order, each once, and the lists that could not be read to their end: `keys` then are those that were seen. */
export type KeysRead = { readonly keys: readonly Key[]; readonly faults: readonly Fault[] };

type Take = (item: ObjectMeta) => void;

const collect = async (api: ApiServer, selection: Selection, take: Take): Promise<void> => {
  for await (const { items } of listMetadata(api, selection, AbortSignal.timeout(LIST_MS))) {
    for (const item of items) take(item);
  }
};

// 410: paging took so long that the API server forgot where it was.
const isWorthAnotherTry = ({ sort, code }: Fault): boolean => sort === "unavailable" || code === 410;

/** Reads a list, from its beginning where a page failed. Gives the fault that it ended with. */
const collectAll = async (
  api: ApiServer,
  selection: Selection,
  take: Take,
  wait: ReadOptions["wait"],
): Promise<Fault | undefined> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await collect(api, selection, take);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
      if (tries === TRIES || !isWorthAnotherTry(cause)) return cause;
      await wait(backOffMs(tries));
    }
  }
};

/** Whether a namespace is to be visited: any, or one that the release looks after now. */
type IsServed = (namespace: string) => boolean;

const servedNamespaces = async (
  api: ApiServer,
  { release, wait }: ReadOptions,
): Promise<IsServed | Fault> => {
  if (release === undefined) return () => true;
  const names = new Set<string | undefined>();
  const selection = { kind: "Namespace", labelSelector: release.selector } as const;
  const fault = await collectAll(api, selection, ({ name }) => void names.add(name), wait);
  return fault ?? ((namespace) => names.has(namespace));
};

/**
 * The keys of every SampleDB, and of every orphan: a labelled claim, Secret or StatefulSet whose SampleDB is gone. Only keys are kept in
 * memory, objects a page at a time. A list that is refused does not keep the others from being read; after one that got no answer,
 * nothing more is asked.
 */
export const keysToVisit = async (api: ApiServer, options: ReadOptions): Promise<KeysRead> => {
  const { namespace, wait } = options;
  const isServed = await servedNamespaces(api, options);
  if (isServed instanceof Fault) return { keys: [], faults: [isServed] };
  const found = new Map<string, Key>();
  const faults: Fault[] = [];
  for (const selection of SELECTIONS) {
    const within = namespace === undefined ? selection : { ...selection, namespace };
    const take = (item: ObjectMeta): void => {
      const key = keyOf(selection.kind, item);
      if (key !== undefined && isServed(key.namespace)) found.set(keyText(key), key);
    };
    const fault = await collectAll(api, within, take, wait);
    if (fault !== undefined) faults.push(fault);
    if (fault?.sort === "unavailable") break;
  }
  const keys = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  return { keys, faults };
};
