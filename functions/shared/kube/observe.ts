import type { Key } from "../api/key.ts";
import { LABEL } from "../api/markers.ts";
import type { Event, Kinds } from "./kinds.ts";
import type { Observed, ReadKind } from "./observed.ts";
import { orphansIn } from "./orphans.ts";
import { readEvents, readOrphanEvents } from "./read-events.ts";
import { readInitSources } from "./read-init-sources.ts";
import { readPersistentVolumes, readStorageClasses } from "./read-volumes.ts";
import type { Reader } from "./reader.ts";

/** Kinds that are read by label. */
type Child = Exclude<ReadKind, "InitSource" | "PersistentVolume" | "StorageClass" | "Event">;

type Children = { readonly [K in Child]: readonly Kinds[K][] };

/** What has to be known before the others can be read. */
const NEEDS: { readonly [K in ReadKind]?: readonly Child[] } = {
  PersistentVolume: ["PersistentVolumeClaim"],
  StorageClass: ["PersistentVolumeClaim"],
  InitSource: ["PersistentVolumeClaim"],
  Event: ["PersistentVolumeClaim", "StatefulSet", "Job"],
};

/** Longest value of a label: a longer name has no labelled child. */
const MAX_LABEL = 63;

const childReader = (reader: Reader, { namespace, name }: Key, kinds: ReadonlySet<ReadKind>) => {
  return async <K extends Child>(kind: K): Promise<readonly Kinds[K][]> =>
    kinds.has(kind) && name.length <= MAX_LABEL
      ? reader.list(kind, namespace, { labelSelector: `${LABEL.database}=${name}` })
      : [];
};

const withNeeded = (reads: ReadonlySet<ReadKind>): ReadonlySet<ReadKind> =>
  new Set<ReadKind>([...reads, ...[...reads].flatMap((kind) => NEEDS[kind] ?? [])]);

/** Everything that carries the label of the SampleDB, of the kinds asked for. */
const readChildren = async (reader: Reader, key: Key, kinds: ReadonlySet<ReadKind>): Promise<Children> => {
  const children = childReader(reader, key, kinds);
  const [PersistentVolumeClaim, StatefulSet, Job, Secret, ...others] = await Promise.all([
    children("PersistentVolumeClaim"),
    children("StatefulSet"),
    children("Job"),
    children("Secret"),
    children("ConfigMap"),
    children("Service"),
    children("PodDisruptionBudget"),
    children("Pod"),
  ]);
  const [ConfigMap, Service, PodDisruptionBudget, Pod] = others;
  return { PersistentVolumeClaim, StatefulSet, Job, Secret, ConfigMap, Service, PodDisruptionBudget, Pod };
};

/** What one reads because of what the children are. */
const readMore = async (
  reader: Reader,
  { key, sampledb, children }: Omit<Observed, "objects"> & { readonly children: Children },
  reads: ReadonlySet<ReadKind>,
) => {
  const claims = children.PersistentVolumeClaim;
  const events = (): Promise<readonly Event[]> =>
    sampledb === undefined
      ? readOrphanEvents(reader, key, orphansIn(children))
      : readEvents(reader, key.namespace, children);
  const [PersistentVolume, StorageClass, Event, InitSource] = await Promise.all([
    reads.has("PersistentVolume") ? readPersistentVolumes(reader, claims) : [],
    reads.has("StorageClass") ? readStorageClasses(reader, claims) : [],
    reads.has("Event") ? events() : [],
    reads.has("InitSource") ? readInitSources(reader, sampledb, claims) : [],
  ]);
  return { PersistentVolume, StorageClass, Event, InitSource };
};

/**
 * Reads the SampleDB, then the asked kinds, those of `ifGone` where there is no SampleDB, live. A kind that was not asked for is empty. One
 * after the other: an event that names no SampleDB is late or forged, and must cost next to nothing; and what a deletion removes before it
 * lets go of the SampleDB is never seen as left behind.
 */
export const observe = async (
  reader: Reader,
  key: Key,
  ifLiving: ReadonlySet<ReadKind>,
  ifGone: ReadonlySet<ReadKind> = ifLiving,
): Promise<Observed> => {
  const sampledb = await reader.get("SampleDB", key.name, key.namespace);
  const isGone = sampledb === undefined;
  const reads = isGone ? ifGone : ifLiving;
  const children = await readChildren(reader, key, isGone ? reads : withNeeded(reads));
  const more = await readMore(reader, { key, sampledb, children }, reads);
  return { key, sampledb, objects: { ...children, ...more } };
};
