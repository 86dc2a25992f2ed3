import { makeClaim, makePod, makeStatefulSet } from "../../support/make-children.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";
import { pending, starting, initializing, reportTells } from "./cases.ts";
import { makePodWith } from "./make-observed.ts";

reportTells("what only takes time", [
  {
    name: "a pause before anything was made",
    world: {
      sampledb: makeSampleDB({ spec: { paused: true } }),
      objects: { ConfigMap: [], PersistentVolumeClaim: [], StatefulSet: [], Pod: [] },
    },
    want: { reason: "Paused", severity: "progress", says: /spec.paused is true/u },
  },
  {
    name: "children that are still to be made",
    world: { objects: { ConfigMap: [], PersistentVolumeClaim: [], StatefulSet: [], Pod: [], Job: [] } },
    want: {
      reason: "Provisioning",
      severity: "progress",
      says: /^Waiting for PersistentVolumeClaim orders-1-1, StatefulSet orders-1\. If an object of that name/u,
    },
  },
  {
    name: "children that are just being made",
    world: {
      objects: { ConfigMap: [], PersistentVolumeClaim: [], StatefulSet: [], Pod: [], Job: [] },
      context: { now: new Date("2026-01-01T00:00:10Z") },
    },
    want: {
      reason: "Provisioning",
      severity: "progress",
      says: /^Waiting for PersistentVolumeClaim orders-1-1, StatefulSet orders-1\.$/u,
    },
  },
  {
    name: "another's claim that is on its way out",
    world: {
      objects: {
        PersistentVolumeClaim: [
          makeClaim({
            metadata: {
              deletionTimestamp: "2026-01-01T00:00:00Z",
              annotations: { "sampledb.dev/owner-uid": "uid-old" },
            },
          }),
        ],
      },
    },
    want: {
      reason: "Provisioning",
      severity: "progress",
      says: /^Waiting for the end of PersistentVolumeClaim orders-1-1/u,
    },
  },
  {
    name: "an adoption that is allowed",
    world: {
      objects: {
        PersistentVolumeClaim: [
          makeClaim({ metadata: { annotations: { "sampledb.dev/owner-uid": "uid-old" } } }),
        ],
      },
    },
    want: {
      reason: "Provisioning",
      severity: "progress",
      says: /^Adopting PersistentVolumeClaim orders-1-1/u,
    },
  },
  {
    name: "a claim that is not bound yet, with the pod there that binds it",
    world: {
      objects: {
        ...pending(),
        StorageClass: [{ metadata: { name: "standard" }, provisioner: "example.com/disk" }],
      },
    },
    want: {
      reason: "Provisioning",
      severity: "progress",
      says: /^Waiting for a volume for PersistentVolumeClaim orders-1-1/u,
    },
  },
  {
    name: "a database that starts",
    world: { objects: starting(makePodWith({ state: { waiting: { reason: "ContainerCreating" } } })) },
    want: {
      reason: "WaitingForDatabase",
      severity: "progress",
      says: /^Waiting for PostgreSQL in Pod orders-1-0 to answer\.$/u,
    },
  },
  {
    name: "a container that cannot be made, in the kubelet's words",
    world: {
      objects: starting(
        makePodWith({
          state: { waiting: { reason: "CreateContainerConfigError", message: "no key password" } },
        }),
      ),
    },
    want: {
      reason: "WaitingForDatabase",
      severity: "progress",
      says: /CreateContainerConfigError: no key password\.$/u,
    },
  },
  {
    name: "a Ready pod of an old revision",
    world: {
      objects: { Pod: [makePod({ metadata: { labels: { "controller-revision-hash": "orders-1-z" } } })] },
    },
    want: { reason: "WaitingForDatabase", severity: "progress", says: /orders-1-0/u },
  },
  {
    name: "a Ready pod that is ending",
    world: { objects: { Pod: [makePod({ metadata: { deletionTimestamp: "2026-01-01T00:59:00Z" } })] } },
    want: { reason: "WaitingForDatabase", severity: "progress", says: /orders-1-0/u },
  },
  {
    name: "a StatefulSet whose newest generation nobody has looked at",
    world: { objects: { StatefulSet: [makeStatefulSet({ metadata: { generation: 2 } })] } },
    want: { reason: "WaitingForDatabase", severity: "progress", says: /orders-1-0/u },
  },
  {
    name: "an init Job that runs",
    world: { objects: initializing(undefined) },
    want: { reason: "WaitingForInit", severity: "progress", says: /^Waiting for Job orders-init\.$/u },
  },
  {
    name: "an init Job that is tried again, with its last words",
    world: { objects: initializing({ exitCode: 2, message: "could not connect" }) },
    want: {
      reason: "WaitingForInit",
      severity: "progress",
      says: /last try ended with: could not connect\.$/u,
    },
  },
  {
    name: "credentials of another SampleDB's time that were not tried yet",
    world: {
      objects: {
        PersistentVolumeClaim: [
          makeClaim({ metadata: { annotations: { "sampledb.dev/credentials-verified": "uid-old" } } }),
        ],
        Job: [],
      },
    },
    want: { reason: "WaitingForInit", severity: "progress", says: /orders-init/u },
  },
  {
    name: "a password that changed and was not tried yet",
    world: {
      objects: {
        PersistentVolumeClaim: [
          makeClaim({ metadata: { annotations: { "sampledb.dev/credentials": "of-another-password" } } }),
        ],
        Job: [],
      },
    },
    want: { reason: "WaitingForInit", severity: "progress", says: /orders-init/u },
  },
]);
