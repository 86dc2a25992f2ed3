import type { Action, Ref } from "../../../functions/shared/kube/action.ts";
import type { Kind, Kinds } from "../../../functions/shared/kube/kinds.ts";
import type { Observed } from "../../../functions/shared/kube/observed.ts";
import type { RetireReads } from "../../../functions/retire/scene.ts";

type AnyObject = Kinds[Kind];
type Entry = { readonly kind: Kind; readonly object: AnyObject };
type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 7386, in place. */
const applyMergePatch = (target: object, patch: Json): void => {
  for (const [field, value] of Object.entries(patch)) {
    const present: unknown = Reflect.get(target, field);
    if (value === null) Reflect.deleteProperty(target, field);
    else if (isRecord(value) && isRecord(present)) applyMergePatch(present, value);
    else Reflect.set(target, field, structuredClone(value));
  }
};

const isOf =
  <K extends Kind>(kind: K) =>
  (entry: {
    readonly kind: Kind;
    readonly object: unknown;
  }): entry is {
    readonly kind: K;
    readonly object: Kinds[K];
  } =>
    entry.kind === kind;

/**
 * A cluster in memory: what the API server and its controllers do about deletion, as far as retirement meets it. Actions on objects
 * that are no longer exactly as they were read are refused, as by the real one. Nothing but `tick` removes pods and used claims.
 */
export class World {
  #entries: readonly Entry[];
  #version = 100;
  readonly log: string[] = [];

  constructor(entries: readonly Entry[]) {
    this.#entries = entries;
  }

  all<K extends Kind>(kind: K): readonly Kinds[K][] {
    return this.#entries.filter(isOf(kind)).map(({ object }) => object);
  }

  names(): readonly string[] {
    return this.#entries.map(({ kind, object }) => `${kind} ${object.metadata?.name ?? ""}`).toSorted();
  }

  observe(): Observed<RetireReads> {
    return {
      key: { namespace: "shop", name: "orders" },
      sampledb: this.all("SampleDB").find(({ metadata }) => metadata.name === "orders"),
      objects: {
        Secret: this.all("Secret"),
        ConfigMap: this.all("ConfigMap"),
        Service: this.all("Service"),
        PersistentVolumeClaim: this.all("PersistentVolumeClaim"),
        PersistentVolume: this.all("PersistentVolume"),
        StatefulSet: this.all("StatefulSet"),
        PodDisruptionBudget: this.all("PodDisruptionBudget"),
        Job: this.all("Job"),
        Pod: this.all("Pod"),
      },
    };
  }

  /** Carries out an action; false where its precondition fails. */
  carryOut(action: Action): boolean {
    if (action.do !== "merge" && action.do !== "delete") throw new Error(`retire plans no ${action.do}`);
    const found = this.#find(action.ref);
    if (found === undefined) return false;
    this.log.push(`${action.do} ${action.ref.kind} ${action.ref.name}`);
    if (action.do === "delete") this.#delete(found);
    else this.#patch(found, action.patch);
    this.#settle();
    return true;
  }

  /** Garbage collection and kubelets get on: pods without their owner end, and everything that waits for them. */
  tick(): void {
    const owners = new Set(this.#entries.map(({ object }) => object.metadata?.uid));
    const isOver = (pod: Kinds["Pod"]): boolean =>
      pod.metadata?.deletionTimestamp !== undefined ||
      (pod.metadata?.ownerReferences ?? []).some(({ uid }) => !owners.has(uid));
    const over = new Set<AnyObject>(this.all("Pod").filter(isOver));
    this.#entries = this.#entries.filter(({ object }) => !over.has(object));
    this.#settle();
  }

  /** What a person does by hand. */
  change(kind: Kind, name: string, patch: Json): void {
    for (const entry of this.#entries.filter((e) => e.kind === kind && e.object.metadata?.name === name)) {
      this.#patch(entry, patch);
    }
  }

  #find({ kind, name, uid, resourceVersion }: Ref): Entry | undefined {
    return this.#entries.find(
      ({ kind: k, object: { metadata } }) =>
        k === kind &&
        metadata?.name === name &&
        metadata.uid === uid &&
        metadata.resourceVersion === resourceVersion,
    );
  }

  #patch(entry: Entry, patch: Json): void {
    this.#version += 1;
    const object = structuredClone(entry.object);
    applyMergePatch(object, patch);
    applyMergePatch(object, { metadata: { resourceVersion: String(this.#version) } });
    this.#entries = this.#entries.map((e) => (e === entry ? { kind: e.kind, object } : e));
  }

  #delete(entry: Entry): void {
    const waits = entry.kind === "Pod" || entry.kind === "PersistentVolumeClaim";
    if (waits) {
      this.#patch(entry, { metadata: { deletionTimestamp: "2026-01-02T00:00:00Z" } });
    } else this.#entries = this.#entries.filter((e) => e !== entry);
  }

  #settle(): void {
    const used = new Set(
      this.all("Pod").flatMap(({ spec }) =>
        (spec?.volumes ?? []).map((volume) => volume.persistentVolumeClaim?.claimName),
      ),
    );
    const claimEnds = ({ metadata }: Kinds["PersistentVolumeClaim"]): boolean =>
      metadata?.deletionTimestamp !== undefined && !used.has(metadata.name);
    const ended = this.all("PersistentVolumeClaim").filter(claimEnds);
    const endedUids = new Set(ended.map(({ metadata }) => metadata?.uid));
    const volumes = this.all("PersistentVolume").filter(
      ({ spec }) => endedUids.has(spec?.claimRef?.uid) && spec?.persistentVolumeReclaimPolicy === "Delete",
    );
    const released = this.all("SampleDB").filter(
      ({ metadata }) => metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0,
    );
    const gone = new Set<AnyObject>([...ended, ...volumes, ...released]);
    this.#entries = this.#entries.filter(({ object }) => !gone.has(object));
  }
}
