import { setTimeout as wait } from "node:timers/promises";
import type { PersistentVolumeClaim, Pod } from "../../functions/shared/kube/kinds.ts";
import type { PlainApi } from "./plain-api.ts";

const CLASS = "imagined";

/** The default StorageClass; its provisioner is `imagineNode`. */
const STORAGE_CLASS = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: CLASS, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "example.com/imagined",
  volumeBindingMode: "Immediate",
};

const volumeFor = ({ metadata = {}, spec = {} }: PersistentVolumeClaim): object => {
  const { namespace, name, uid = "" } = metadata;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `pv-${uid}` },
    spec: {
      capacity: spec.resources?.requests,
      accessModes: spec.accessModes,
      storageClassName: spec.storageClassName,
      persistentVolumeReclaimPolicy: "Delete",
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid },
      hostPath: { path: `/nowhere/${uid}` },
    },
  };
};

const RUNNING = ["PodScheduled", "Initialized", "ContainersReady", "Ready"];

const started = ({ spec }: Pod): object => {
  const time = new Date().toISOString();
  const { name, image } = spec?.containers[0] ?? {};
  return {
    phase: "Running",
    startTime: time,
    conditions: RUNNING.map((type) => ({ type, status: "True", lastTransitionTime: time })),
    containerStatuses: [
      {
        name,
        image,
        imageID: "",
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: time } },
      },
    ],
  };
};

const ended = ({ spec }: Pod): object => {
  const time = new Date().toISOString();
  const { name, image } = spec?.containers[0] ?? {};
  const terminated = { reason: "Completed", exitCode: 0, startedAt: time, finishedAt: time };
  return {
    phase: "Succeeded",
    containerStatuses: [
      { name, image, imageID: "", ready: false, started: false, restartCount: 0, state: { terminated } },
    ],
  };
};

const isOfJob = ({ metadata }: Pod): boolean =>
  (metadata?.ownerReferences ?? []).some(({ kind }) => kind === "Job");

/** A pod that went away meanwhile, or was replaced by one of another uid, needs nothing more. */
const unlessGone = (cause: unknown): void => {
  if (!(cause instanceof Error && / (404|409|422) /u.test(cause.message))) throw cause;
};

/**
 * Plays node and volume provisioner in a namespace, as far as the API shows them: gives every claim a volume, makes every pod of a
 * StatefulSet Ready and every pod of a Job succeed, `podStartMs` after it was made. For API servers without a node. Ends with its disposal.
 */
export const imagineNode = async (
  api: PlainApi,
  namespace: string,
  podStartMs: number,
): Promise<Disposable> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const seen = new Set<string>();
  const isNew = (uid = ""): boolean => !seen.has(uid) && seen.add(uid).has(uid);
  const fail = (cause: unknown): void => {
    // Outside of any test's call: nothing else could tell.
    if (!signal.aborted) process.emitWarning(cause instanceof Error ? cause : String(cause));
  };
  const play = async (pod: Pod): Promise<void> => {
    await wait(podStartMs);
    const status = isOfJob(pod) ? ended(pod) : started(pod);
    const path = `/api/v1/namespaces/${namespace}/pods/${pod.metadata?.name ?? ""}/status`;
    const metadata = { uid: pod.metadata?.uid };
    if (!signal.aborted) await api.call("PATCH", path, { metadata, status }).catch(unlessGone);
  };
  const provide = (claim: PersistentVolumeClaim): Promise<unknown> =>
    api.call("POST", "/api/v1/persistentvolumes", volumeFor(claim));
  await api.call("POST", "/apis/storage.k8s.io/v1/storageclasses", STORAGE_CLASS);
  api
    .follow({ kind: "Pod", namespace }, signal, (pod, isDeleted) => {
      if (!isDeleted && isNew(pod.metadata?.uid)) play(pod).catch(fail);
    })
    .catch(fail);
  api
    .follow({ kind: "PersistentVolumeClaim", namespace }, signal, (claim, isDeleted) => {
      if (!isDeleted && isNew(claim.metadata?.uid)) provide(claim).catch(fail);
    })
    .catch(fail);
  return { [Symbol.dispose]: () => stopping.abort() };
};
