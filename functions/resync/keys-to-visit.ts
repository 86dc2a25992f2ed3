import { keyOf } from "../shared/api/key-of.ts";
import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";
import { LABEL } from "../shared/api/markers.ts";
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
  readonly wait: (ms: number) => Promise<unknown>;
};

/** Keys in order, each once, and the lists that could not be read to their end: `keys` then are those that were seen. */
export type KeysRead = { readonly keys: readonly Key[]; readonly faults: readonly Fault[] };

const collect = async (api: ApiServer, selection: Selection, found: Map<string, Key>): Promise<void> => {
  for await (const { items } of listMetadata(api, selection, AbortSignal.timeout(LIST_MS))) {
    for (const item of items) {
      const key = keyOf(selection.kind, item);
      if (key !== undefined) found.set(keyText(key), key);
    }
  }
};

// 410: paging took so long that the API server forgot where it was.
const isWorthAnotherTry = ({ sort, code }: Fault): boolean => sort === "unavailable" || code === 410;

/** Reads a list, from its beginning where a page failed. Gives the fault that it ended with. */
const collectAll = async (
  api: ApiServer,
  selection: Selection,
  found: Map<string, Key>,
  wait: ReadOptions["wait"],
): Promise<Fault | undefined> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await collect(api, selection, found);
      return undefined;
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
      if (tries === TRIES || !isWorthAnotherTry(cause)) return cause;
      await wait(backOffMs(tries));
    }
  }
};

/**
 * The keys of every SampleDB, and of every orphan: a labelled claim, Secret or StatefulSet whose SampleDB is gone. Only keys are kept in
 * memory, objects a page at a time. A list that is refused does not keep the others from being read; after one that got no answer,
 * nothing more is asked.
 */
export const keysToVisit = async (api: ApiServer, { namespace, wait }: ReadOptions): Promise<KeysRead> => {
  const found = new Map<string, Key>();
  const faults: Fault[] = [];
  for (const selection of SELECTIONS) {
    const within = namespace === undefined ? selection : { ...selection, namespace };
    const fault = await collectAll(api, within, found, wait);
    if (fault !== undefined) faults.push(fault);
    if (fault?.sort === "unavailable") break;
  }
  const keys = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  return { keys, faults };
};
