import { childNames } from "../../functions/shared/api/child-names.ts";
import { ANNOTATION, LABEL } from "../../functions/shared/api/markers.ts";
import type { ObjectMeta } from "../../functions/shared/api/sampledb.ts";
import type {
  ConfigMap,
  Job,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
} from "../../functions/shared/kube/kinds.ts";

/** Metadata of a child of `orders` (uid `uid-orders`) in `shop`; labels and annotations are added to, the rest is overridden. */
const childMetadata = (name: string, overrides: ObjectMeta = {}): ObjectMeta => ({
  name,
  namespace: "shop",
  uid: `uid-${name}`,
  resourceVersion: "1",
  generation: 1,
  creationTimestamp: "2026-01-01T00:00:10Z",
  ...overrides,
  labels: { [LABEL.database]: "orders", ...overrides.labels },
  annotations: { [ANNOTATION.ownerUid]: "uid-orders", ...overrides.annotations },
});

const names = childNames("orders");

type Overrides<T> = { readonly metadata?: ObjectMeta } & Omit<Partial<T>, "metadata">;

export const makeSecret = (name: string = names.secret, overrides: Overrides<Secret> = {}): Secret => ({
  data: { password: "c2VjcmV0" },
  ...overrides,
  metadata: childMetadata(name, { uid: `uid-secret-${name}`, ...overrides.metadata }),
});

export const makeConfigMap = (overrides: Overrides<ConfigMap> = {}): ConfigMap => ({
  data: { initialized: "true" },
  ...overrides,
  metadata: childMetadata(names.configMap, { uid: "uid-configmap", ...overrides.metadata }),
});

export const makeService = (name: string = names.service, overrides: Overrides<Service> = {}): Service => ({
  ...overrides,
  metadata: childMetadata(name, { uid: `uid-service-${name}`, ...overrides.metadata }),
});

export const makePodDisruptionBudget = (
  overrides: Overrides<PodDisruptionBudget> = {},
): PodDisruptionBudget => ({
  ...overrides,
  metadata: childMetadata(names.podDisruptionBudget, { uid: "uid-pdb", ...overrides.metadata }),
});

/** The bound claim of a database that runs and whose init is done. */
export const makeClaim = (overrides: Overrides<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  spec: { volumeName: "pv-orders", storageClassName: "standard" },
  status: { phase: "Bound", capacity: { storage: "1Gi" } },
  ...overrides,
  metadata: childMetadata(names.claim, {
    ...overrides.metadata,
    annotations: {
      [ANNOTATION.state]: "active",
      [ANNOTATION.version]: "17",
      [ANNOTATION.databaseName]: "app",
      [ANNOTATION.databaseOwner]: "app",
      [ANNOTATION.initialized]: "true",
      [ANNOTATION.initScripts]: "none",
      [ANNOTATION.credentialsVerified]: "uid-orders",
      ...overrides.metadata?.annotations,
    },
  }),
});

/** The same claim before a volume was bound to it: nothing is known of data. */
export const makePendingClaim = (overrides: Overrides<PersistentVolumeClaim> = {}): PersistentVolumeClaim => {
  const claim = makeClaim({
    spec: { storageClassName: "standard" },
    status: { phase: "Pending" },
    ...overrides,
  });
  const { initialized, initScripts, credentialsVerified } = ANNOTATION;
  const annotations = Object.entries(claim.metadata?.annotations ?? {}).filter(
    ([name]) => name !== initialized && name !== initScripts && name !== credentialsVerified,
  );
  return { ...claim, metadata: { ...claim.metadata, annotations: Object.fromEntries(annotations) } };
};

/** The volume bound to `makeClaim()`, kept as `provision` keeps it. */
export const makeVolume = (overrides: Overrides<PersistentVolume> = {}): PersistentVolume => ({
  spec: {
    persistentVolumeReclaimPolicy: "Retain",
    claimRef: { namespace: "shop", name: names.claim, uid: `uid-${names.claim}` },
  },
  ...overrides,
  metadata: { name: "pv-orders", uid: "uid-pv", resourceVersion: "1", ...overrides.metadata },
});

/** A StatefulSet whose pod is Ready and of the newest revision. */
export const makeStatefulSet = (overrides: Overrides<StatefulSet> = {}): StatefulSet => ({
  spec: {
    replicas: 1,
    serviceName: names.headlessService,
    selector: { matchLabels: { [LABEL.database]: "orders" } },
    template: {
      spec: {
        containers: [{ name: "postgresql" }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: names.claim } }],
      },
    },
  },
  status: {
    replicas: 1,
    readyReplicas: 1,
    updatedReplicas: 1,
    observedGeneration: 1,
    currentRevision: "orders-1-a",
    updateRevision: "orders-1-a",
  },
  ...overrides,
  metadata: childMetadata(names.statefulSet, {
    ...overrides.metadata,
    annotations: { [ANNOTATION.generation]: "1", ...overrides.metadata?.annotations },
  }),
});

type Owner = { readonly kind: "StatefulSet" | "Job"; readonly name: string; readonly uid: string };

const ownedBy = ({ kind, name, uid }: Owner): Pick<NonNullable<Pod["metadata"]>, "ownerReferences"> => ({
  ownerReferences: [
    { apiVersion: kind === "Job" ? "batch/v1" : "apps/v1", kind, name, uid, controller: true },
  ],
});

/** The database's Ready pod; without an owner when `owner` is null. */
export const makePod = (
  overrides: Overrides<Pod> = {},
  owner: Owner | null = { kind: "StatefulSet", name: names.statefulSet, uid: `uid-${names.statefulSet}` },
): Pod => ({
  spec: {
    containers: [{ name: "postgresql" }],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: names.claim } }],
  },
  status: {
    phase: "Running",
    conditions: [
      { type: "PodScheduled", status: "True" },
      { type: "Ready", status: "True" },
    ],
    containerStatuses: [
      {
        name: "postgresql",
        image: "postgresql",
        imageID: "",
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: "2026-01-01T00:00:20Z" } },
      },
    ],
  },
  ...overrides,
  metadata: {
    ...childMetadata(`${names.statefulSet}-0`, {
      ...overrides.metadata,
      labels: {
        [LABEL.role]: "primary",
        "controller-revision-hash": "orders-1-a",
        ...overrides.metadata?.labels,
      },
    }),
    annotations: overrides.metadata?.annotations ?? {},
    ...(owner === null ? {} : ownedBy(owner)),
  },
});

/** The init Job, completed. */
export const makeJob = (overrides: Overrides<Job> = {}): Job => ({
  status: { succeeded: 1, conditions: [{ type: "Complete", status: "True" }] },
  ...overrides,
  metadata: childMetadata(names.initJob, overrides.metadata),
});

/** A pod of the init Job: what its container ended with, or undefined while it runs. */
export const makeInitPod = (
  end?: { readonly exitCode: number; readonly message?: string },
  overrides: Overrides<Pod> = {},
): Pod => {
  const ended = end === undefined ? {} : { terminated: end };
  return makePod(
    {
      spec: { containers: [{ name: "init" }] },
      status: {
        phase: end === undefined ? "Running" : end.exitCode === 0 ? "Succeeded" : "Failed",
        containerStatuses: [
          { name: "init", image: "postgresql", imageID: "", ready: false, restartCount: 0, state: ended },
        ],
      },
      ...overrides,
      metadata: {
        name: "orders-init-a",
        uid: "uid-init-pod",
        labels: { [LABEL.role]: "init" },
        ...overrides.metadata,
      },
    },
    { kind: "Job", name: names.initJob, uid: `uid-${names.initJob}` },
  );
};
