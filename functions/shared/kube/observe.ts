import type { Key } from "../api/key.ts";
import { LABEL } from "../api/markers.ts";
import type { Kinds } from "./kinds.ts";
import type { Observed, ReadKind } from "./observed.ts";
import { readEvents } from "./read-events.ts";
import { readInitSources } from "./read-init-sources.ts";
import { readPersistentVolumes, readStorageClasses } from "./read-volumes.ts";
import type { Reader } from "./reader.ts";

/** Kinds that are read by label. */
type Child = Exclude<ReadKind, "InitSource" | "PersistentVolume" | "StorageClass" | "Event">;

/** What has to be known before the others can be read. */
const NEEDS: { readonly [K in ReadKind]?: readonly Child[] } = {
  PersistentVolume: ["PersistentVolumeClaim"],
  StorageClass: ["PersistentVolumeClaim"],
  InitSource: ["PersistentVolumeClaim"],
  Event: ["PersistentVolumeClaim", "StatefulSet", "Job"],
};

/** Longest value of a label: a longer name has no labelled child. */
const MAX_LABEL = 63;

const childReader = (reader: Reader, { namespace, name }: Key, reads: ReadonlySet<ReadKind>) => {
  const needed = new Set<ReadKind>([...reads, ...[...reads].flatMap((kind) => NEEDS[kind] ?? [])]);
  return async <K extends Child>(kind: K): Promise<readonly Kinds[K][]> =>
    needed.has(kind) && name.length <= MAX_LABEL
      ? reader.list(kind, namespace, { labelSelector: `${LABEL.database}=${name}` })
      : [];
};

/**
 * Reads the SampleDB, then the asked kinds, those of `ifGone` where there is no SampleDB, live. A kind that was not asked for is empty. One
 * after the other: an event that names no SampleDB is late or forged, and must cost next to nothing.
 */
export const observe = async (
  reader: Reader,
  key: Key,
  ifLiving: ReadonlySet<ReadKind>,
  ifGone: ReadonlySet<ReadKind> = ifLiving,
): Promise<Observed> => {
  const sampledb = await reader.get("SampleDB", key.name, key.namespace);
  const reads = sampledb === undefined ? ifGone : ifLiving;
  const children = childReader(reader, key, reads);
  const [claims, statefulSets, jobs, ...others] = await Promise.all([
    children("PersistentVolumeClaim"),
    children("StatefulSet"),
    children("Job"),
    children("Secret"),
    children("ConfigMap"),
    children("Service"),
    children("PodDisruptionBudget"),
    children("Pod"),
  ]);
  const [Secret, ConfigMap, Service, PodDisruptionBudget, Pod] = others;
  const suspects = { claims, statefulSets, jobs };
  const [PersistentVolume, StorageClass, Event, InitSource] = await Promise.all([
    reads.has("PersistentVolume") ? readPersistentVolumes(reader, claims) : [],
    reads.has("StorageClass") ? readStorageClasses(reader, claims) : [],
    reads.has("Event") ? readEvents(reader, key.namespace, suspects) : [],
    reads.has("InitSource") ? readInitSources(reader, sampledb, claims) : [],
  ]);
  const found = {
    Secret,
    ConfigMap,
    Service,
    PodDisruptionBudget,
    Pod,
    PersistentVolume,
    StorageClass,
    Event,
  };
  return {
    key,
    sampledb,
    objects: {
      ...found,
      InitSource,
      PersistentVolumeClaim: claims,
      StatefulSet: statefulSets,
      Job: jobs,
    },
  };
};
