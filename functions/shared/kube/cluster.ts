import type { Key } from "../api/key.ts";
import type { SampleDB } from "../api/sampledb.ts";
import type { Action } from "./action.ts";
import type { Observed, ReadKind } from "./observed.ts";

/** The port through which functions read and write the cluster. The adapter is the only importer of the client library. */
export type Cluster = {
  /** Reads the SampleDB and the asked kinds, live, each kind by one list. Throws a Fault. */
  readonly observe: <R extends ReadKind>(key: Key, reads: ReadonlySet<R>) => Promise<Observed<R>>;
  /** Reads the SampleDB alone; undefined when there is none. Throws a Fault. */
  readonly sampledb: (key: Key) => Promise<SampleDB | undefined>;
  /** Carries out one action under the field manager `manager`. Throws a Fault. */
  readonly carryOut: (action: Action, manager: string) => Promise<void>;
};
