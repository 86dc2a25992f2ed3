import { makeClaim, makeConfigMap, makeSecret } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { reportTells } from "./cases.ts";

reportTells("what is refused and what is lost", [
  {
    name: "a deletion, with what is awaited and what holds it",
    world: {
      sampledb: makeSampleDB({
        metadata: {
          deletionTimestamp: "2026-01-02T00:00:00Z",
          finalizers: ["sampledb.dev/retire", "example.com/audit"],
        },
        spec: { deletion: { policy: "Wipe" } },
      }),
      objects: {
        PersistentVolumeClaim: [
          makeClaim({
            metadata: {
              deletionTimestamp: "2026-01-02T00:00:00Z",
              finalizers: ["kubernetes.io/pvc-protection"],
            },
          }),
        ],
      },
    },
    want: {
      reason: "Deleting",
      severity: "progress",
      says: /Wipe.*StatefulSet orders-1, .*Pod orders-1-0, PersistentVolumeClaim orders-1-1 \(held by finalizer kubernetes.io\/pvc-protection\), finalizer example.com\/audit/u,
    },
  },
  {
    name: "a deletion that the API server refuses",
    world: {
      sampledb: makeSampleDB({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } }),
      context: {
        refused: [
          {
            by: "retire",
            object: "PersistentVolume pv-orders",
            code: 403,
            reason: "Forbidden",
            message: "no right",
          },
        ],
      },
    },
    want: {
      reason: "Deleting",
      severity: "stall",
      says: /refuses to change PersistentVolume pv-orders: no right/u,
    },
  },
  {
    name: "every broken rule in admission's words",
    world: {
      sampledb: makeSampleDB({ spec: { version: "9", storage: { size: "-1Gi" } } }),
    },
    want: {
      reason: "InvalidSpec",
      severity: "stall",
      says: /spec\.version: "9": .*; spec\.storage\.size: "-1Gi": /u,
    },
  },
  {
    name: "a claim that is gone although it held data",
    world: { objects: { PersistentVolumeClaim: [], ConfigMap: [makeConfigMap()] } },
    want: {
      reason: "VolumeLost",
      severity: "stall",
      says: /orders-1-1 is gone, and it held the data.*kubectl get pv/u,
    },
  },
  {
    name: "a claim whose volume is gone",
    world: { objects: { PersistentVolumeClaim: [makeClaim({ status: { phase: "Lost" } })] } },
    want: { reason: "VolumeLost", severity: "stall", says: /PersistentVolume pv-orders of .* is gone/u },
  },
  {
    name: "a claim that somebody deletes under the running database",
    world: {
      objects: {
        PersistentVolumeClaim: [makeClaim({ metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } })],
      },
    },
    want: { reason: "VolumeLost", severity: "stall", says: /is being deleted.*Dump the data now/u },
  },
  {
    name: "a volume of an earlier SampleDB that does not fit",
    world: {
      objects: {
        PersistentVolumeClaim: [
          makeClaim({
            metadata: { annotations: { "sampledb.dev/owner-uid": "uid-old", "sampledb.dev/version": "15" } },
          }),
        ],
      },
    },
    want: {
      reason: "AdoptionRefused",
      severity: "stall",
      says: /PostgreSQL 15 data and spec.version is 17/u,
    },
  },
  {
    name: "a Secret whose password was taken out while there is data",
    world: { objects: { Secret: [makeSecret("orders"), makeSecret("orders-superuser", { data: {} })] } },
    want: {
      reason: "CredentialsMissing",
      severity: "stall",
      says: /^Secret orders-superuser with the credentials/u,
    },
  },
  {
    name: "a Secret that is gone while there is data",
    world: { objects: { Secret: [makeSecret("orders-superuser")] } },
    want: { reason: "CredentialsMissing", severity: "stall", says: /^Secret orders with the credentials/u },
  },
]);
