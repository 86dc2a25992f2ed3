import { keyOf } from "../shared/api/key-of.ts";
import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";
import { LABEL } from "../shared/api/markers.ts";
import type { ApiServer } from "../shared/kube/api-server.ts";
import type { Kind } from "../shared/kube/kinds.ts";
import { listMetadata } from "../shared/kube/metadata.ts";

/** What may outlive its SampleDB, or be left behind by a deletion that was cut short. */
const ORPHANS: readonly Kind[] = ["PersistentVolumeClaim", "Secret", "StatefulSet"];

/**
 * The keys of every SampleDB, and of every orphan: a labelled claim, Secret or StatefulSet whose SampleDB is gone; each once. Only keys
 * are kept in memory, objects a page at a time. `namespace` undefined: of all of them. Throws a Fault.
 */
export const keysToVisit = async (
  api: ApiServer,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly Key[]> => {
  const found = new Map<string, Key>();
  const within = namespace === undefined ? {} : { namespace };
  for (const kind of ["SampleDB" as const, ...ORPHANS]) {
    const labels = kind === "SampleDB" ? {} : { labelSelector: LABEL.database };
    for await (const { items } of listMetadata(api, { kind, ...labels, ...within }, signal)) {
      const keys = items.map((item) => keyOf(kind, item)).filter((key) => key !== undefined);
      for (const key of keys) found.set(keyText(key), key);
    }
  }
  return [...found.values()];
};
