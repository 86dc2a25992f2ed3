import type { Key } from "../api/key.ts";
import type { SampleDB } from "../api/sampledb.ts";
import type { Action, Writable } from "./action.ts";
import type { Observed, ReadKind } from "./observed.ts";

/** The port through which functions read and write the cluster. The adapter is the only importer of the client library. */
export type Cluster = {
  /** Reads the SampleDB and the asked kinds (where it is gone those of `ifGone`, by default the same), live, each by one list. Throws a Fault. */
  readonly observe: <R extends ReadKind>(
    key: Key,
    reads: ReadonlySet<R>,
    ifGone?: ReadonlySet<R>,
  ) => Promise<Observed<R>>;
  /** Reads the SampleDB alone; undefined when there is none. Throws a Fault. */
  readonly sampledb: (key: Key) => Promise<SampleDB | undefined>;
  /** Carries out one action under the field manager `manager`; gives what was written, as it is now. Throws a Fault. */
  readonly carryOut: (action: Action, manager: string) => Promise<Writable | undefined>;
};
