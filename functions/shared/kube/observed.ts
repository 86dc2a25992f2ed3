import type { InitScript, SampleDB } from "../api/sampledb.ts";
import type { Key } from "../api/key.ts";
import type { Kinds } from "./kinds.ts";

/** A referenced init script; `content` is undefined where the object or its key is missing. */
export type InitSource = { readonly script: InitScript; readonly content: string | undefined };

/**
 * What a pass can ask to be read, beyond the SampleDB itself. Children are listed by the label `sampledb.dev/database`.
 * Read only where they can matter: PersistentVolume (those of bound claims), StorageClass (all, while a claim is unbound),
 * Event (FailedCreate and volume events of the children, while a child is missing or a claim is unbound; where the SampleDB is gone, what
 * was told of its orphans, while there are some),
 * InitSource (while the current claim has no `init-scripts` annotation).
 */
type Readable = Omit<Kinds, "SampleDB" | "Namespace"> & { readonly InitSource: InitSource };
export type ReadKind = keyof Readable;

/** The cluster as one pass sees it: read once, live, before any plan is made. */
export type Observed<R extends ReadKind = ReadKind> = {
  readonly key: Key;
  /** Undefined when there is no such SampleDB (any more): its labelled children are orphans. */
  readonly sampledb: SampleDB | undefined;
  readonly objects: { readonly [K in R]: readonly Readable[K][] };
};
