import type { DeletionPolicy, ObjectMeta } from "../../../functions/shared/api/sampledb.ts";
import {
  makeClaim,
  makeConfigMap,
  makeInitPod,
  makeJob,
  makePod,
  makePodDisruptionBudget,
  makeSecret,
  makeService,
  makeStatefulSet,
  makeVolume,
} from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { World } from "./world.ts";

type Entries = ConstructorParameters<typeof World>[0];

const deletedSampleDB = (policy: DeletionPolicy, metadata: ObjectMeta = {}): Entries[number] => ({
  kind: "SampleDB",
  object: makeSampleDB({
    metadata: { deletionTimestamp: "2026-01-02T00:00:00Z", ...metadata },
    spec: { deletion: { policy } },
  }),
});

/** What never belongs to `orders`, whatever its label says: of a namesake that `orders` did not adopt, with its data. */
const foreignObjects: Entries = [
  {
    kind: "PersistentVolumeClaim",
    object: makeClaim({
      metadata: {
        name: "orders-1-0",
        uid: "uid-old-claim",
        annotations: { "sampledb.dev/owner-uid": "uid-old" },
      },
      spec: { volumeName: "pv-old" },
    }),
  },
  {
    kind: "PersistentVolume",
    object: makeVolume({
      metadata: { name: "pv-old", uid: "uid-pv-old" },
      spec: { persistentVolumeReclaimPolicy: "Retain", claimRef: { uid: "uid-old-claim" } },
    }),
  },
  {
    kind: "Secret",
    object: makeSecret("orders-old", { metadata: { annotations: { "sampledb.dev/owner-uid": "uid-old" } } }),
  },
];

/** Every child of a running `orders`, its init Job with a pod included. */
export const children: Entries = [
  { kind: "Secret", object: makeSecret("orders") },
  { kind: "Secret", object: makeSecret("orders-superuser") },
  { kind: "ConfigMap", object: makeConfigMap() },
  { kind: "Service", object: makeService("orders") },
  { kind: "Service", object: makeService("orders-headless") },
  { kind: "PodDisruptionBudget", object: makePodDisruptionBudget() },
  { kind: "PersistentVolumeClaim", object: makeClaim() },
  { kind: "PersistentVolume", object: makeVolume() },
  { kind: "StatefulSet", object: makeStatefulSet() },
  { kind: "Pod", object: makePod() },
  { kind: "Job", object: makeJob() },
  { kind: "Pod", object: makeInitPod() },
];

/** A world where `orders` was just deleted, without the entries that `without` picks. */
export const deletedWorld = (
  policy: DeletionPolicy,
  options: { readonly metadata?: ObjectMeta; readonly entries?: Entries } = {},
): World =>
  new World([deletedSampleDB(policy, options.metadata), ...(options.entries ?? children), ...foreignObjects]);

/** Names of `foreignObjects`, sorted. */
export const foreignNames = [
  "PersistentVolume pv-old",
  "PersistentVolumeClaim orders-1-0",
  "Secret orders-old",
];

/** What has to be left in the end, and nothing else. */
export const leftBy: Readonly<Record<DeletionPolicy, readonly string[]>> = {
  Retain: [
    ...foreignNames,
    "PersistentVolume pv-orders",
    "PersistentVolumeClaim orders-1-1",
    "Secret orders",
    "Secret orders-superuser",
  ].toSorted(),
  Wipe: foreignNames,
};
