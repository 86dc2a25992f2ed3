import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import type { SampleDB } from "../../functions/shared/api/sampledb.ts";
import type { Action, Ref } from "../../functions/shared/kube/action.ts";
import type { Kind, Kinds } from "../../functions/shared/kube/kinds.ts";
import type { InitSource, Observed } from "../../functions/shared/kube/observed.ts";
import type { PlanContext, ReconcileFunction } from "../../functions/shared/kube/reconcile-function.ts";

type Json = Readonly<Record<string, unknown>>;
type Entry = { readonly kind: Kind; readonly object: Kinds[Kind] };

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `target` with `patch` merged in (RFC 7386). */
const merged = (target: unknown, patch: unknown): unknown => {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete result[field];
    else result[field] = merged(result[field], value);
  }
  return result;
};

const isKind =
  <K extends Kind>(kind: K) =>
  (entry: { readonly kind: Kind; readonly object: unknown }): entry is { kind: K; object: Kinds[K] } =>
    entry.kind === kind;

const identityOf = (action: Action): { readonly kind: Kind; readonly name: string } =>
  "object" in action ? { kind: action.object.kind, name: action.object.metadata?.name ?? "" } : action.ref;

/** A plan's context: counted passwords, so that a test sees which is which. */
export const planContext = (overrides: Partial<PlanContext> = {}): PlanContext => {
  let passwords = 0;
  return {
    catalog: BUILT_IN_CATALOG,
    now: new Date("2026-01-01T00:01:00Z"),
    newPassword: () => `password${(passwords += 1)}`,
    refused: [],
    ...overrides,
  };
};

/** A cluster in memory, as far as making a database meets it: writes with their preconditions; `settle` plays the controllers. */
export class ImaginedCluster {
  #entries: Entry[] = [];
  #count = 100;
  readonly sources: InitSource[] = [];
  /** Every write, as `create Secret orders`. */
  readonly log: string[] = [];

  constructor(sampledb: SampleDB, ...objects: readonly Entry[]) {
    this.#entries = [{ kind: "SampleDB", object: sampledb }, ...objects];
  }

  all<K extends Kind>(kind: K): readonly Kinds[K][] {
    return this.#entries.filter(isKind(kind)).map(({ object }) => object);
  }

  named<K extends Kind>(kind: K, name: string): Kinds[K] {
    const found = this.all(kind).find(({ metadata }) => metadata?.name === name);
    if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
    return found;
  }

  observe(): Observed {
    const sampledb = this.all("SampleDB")[0];
    const { namespace = "shop", name = "orders" } = sampledb?.metadata ?? {};
    return {
      key: { namespace, name },
      sampledb,
      objects: {
        Secret: this.all("Secret"),
        ConfigMap: this.all("ConfigMap"),
        Service: this.all("Service"),
        PersistentVolumeClaim: this.all("PersistentVolumeClaim"),
        PersistentVolume: this.all("PersistentVolume"),
        StatefulSet: this.all("StatefulSet"),
        PodDisruptionBudget: this.all("PodDisruptionBudget"),
        Job: this.all("Job"),
        Pod: [],
        StorageClass: [],
        Event: [],
        InitSource: this.sources,
      },
    };
  }

  /** Passes of these functions, each followed by `settle`, until a pass plans nothing. Returns the number of passes. */
  converge(functions: readonly ReconcileFunction[], context: PlanContext = planContext()): number {
    for (let passes = 1; passes < 20; passes += 1) {
      const written = this.log.length;
      for (const { plan } of functions) {
        for (const action of plan(this.observe(), context)) this.carryOut(action);
      }
      if (this.log.length === written) return passes;
      this.settle();
    }
    throw new Error(`no fixed point: ${this.log.join(", ")}`);
  }

  carryOut(action: Action): void {
    const { kind, name } = identityOf(action);
    this.log.push(`${action.do} ${kind} ${name}`);
    if (action.do === "create" || action.do === "apply") this.#write(action);
    else this.#exactly(action.ref);
    if (action.do === "delete") this.remove(kind, name);
    if (action.do === "merge") this.change(kind, name, action.patch);
  }

  /** What somebody does by hand. */
  change(kind: Kind, name: string, patch: Json): void {
    const entry = this.#find(kind, name);
    if (entry === undefined) throw new Error(`there is no ${kind} ${name}`);
    const object = merged(entry.object, patch);
    this.#put(entry, merged(object, { metadata: { resourceVersion: String((this.#count += 1)) } }));
  }

  remove(kind: Kind, name: string): void {
    this.#entries = this.#entries.filter((entry) => entry !== this.#find(kind, name));
  }

  /** Binds claims, makes StatefulSets Ready, completes Jobs. */
  settle(): void {
    const untouched = (kind: "PersistentVolumeClaim" | "StatefulSet" | "Job"): readonly string[] =>
      this.all(kind).flatMap(({ metadata, status }) => (status === undefined ? [metadata?.name ?? ""] : []));
    for (const name of untouched("PersistentVolumeClaim")) this.#bind(name);
    const ready = { metadata: { generation: 1 }, status: { readyReplicas: 1, observedGeneration: 1 } };
    for (const name of untouched("StatefulSet")) this.change("StatefulSet", name, ready);
    const complete = { status: { conditions: [{ type: "Complete", status: "True" }] } };
    for (const name of untouched("Job")) this.change("Job", name, complete);
  }

  #bind(claim: string): void {
    const { uid } = this.named("PersistentVolumeClaim", claim).metadata ?? {};
    const spec = { claimRef: { name: claim, uid }, persistentVolumeReclaimPolicy: "Delete" };
    this.#add("PersistentVolume", { metadata: { name: `pv-${claim}` }, spec });
    const bound = { spec: { volumeName: `pv-${claim}` }, status: { phase: "Bound" } };
    this.change("PersistentVolumeClaim", claim, bound);
  }

  #write({ do: verb, object }: Extract<Action, { readonly object: unknown }>): void {
    const name = object.metadata?.name ?? "";
    if (this.#find(object.kind, name) === undefined) this.#add(object.kind, object);
    else if (verb === "apply") this.change(object.kind, name, { ...object });
  }

  #add(kind: Kind, object: unknown): void {
    const id = String((this.#count += 1));
    this.#put(undefined, merged(object, { metadata: { uid: `uid-${id}`, resourceVersion: id } }), kind);
  }

  #put(entry: Entry | undefined, object: unknown, kind: Kind = entry?.kind ?? "Pod"): void {
    const next: Entry = JSON.parse(JSON.stringify({ kind, object }));
    this.#entries =
      entry === undefined ? [...this.#entries, next] : this.#entries.map((e) => (e === entry ? next : e));
  }

  #find(kind: Kind, name: string): Entry | undefined {
    return this.#entries.find((entry) => entry.kind === kind && entry.object.metadata?.name === name);
  }

  #exactly(ref: Ref): void {
    const found = this.#find(ref.kind, ref.name)?.object;
    if (found?.metadata?.uid !== ref.uid || found.metadata.resourceVersion !== ref.resourceVersion) {
      throw new Error(`${ref.kind} ${ref.name} is no longer as it was read`);
    }
  }
}
