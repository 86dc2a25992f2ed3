import { childNames } from "../../../functions/shared/api/child-names.ts";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import { type Change, type Thing, textAt } from "./change.ts";

/** What a watch has shown of a namespace so far. */
export class Picture {
  readonly #things = new Map<string, Thing>();
  readonly #versions = new Map<string, number>();

  take({ kind, type, thing }: Change): void {
    const id = `${kind} ${thing.metadata.name ?? ""}`;
    this.#versions.set(id, Number(thing.metadata.resourceVersion ?? 0));
    if (type === "DELETED") this.#things.delete(id);
    else this.#things.set(id, { ...thing, kind });
  }

  get(kind: Kind, name: string): Thing | undefined {
    return this.#things.get(`${kind} ${name}`);
  }

  /** Whether it shows the object as of this resource version, or later; of 0 (it was deleted at once), its end. */
  hasSeen(kind: Kind, name: string, version: number): boolean {
    return version === 0
      ? this.get(kind, name) === undefined
      : (this.#versions.get(`${kind} ${name}`) ?? 0) >= version;
  }

  /** Whether there is anything of this SampleDB. */
  shows(name: string): boolean {
    return this.get("SampleDB", name) !== undefined || this.childrenOf(name).length > 0;
  }

  all(kind: Kind): readonly Thing[] {
    return [...this.#things.values()].filter((thing) => thing.kind === kind);
  }

  /** The SampleDB's objects of every kind, its volumes among them, sorted by kind and name. */
  childrenOf(name: string): readonly Thing[] {
    const { claim } = childNames(name);
    return [...this.#things.entries()]
      .filter(([, { kind, metadata, spec }]) =>
        kind === "PersistentVolume"
          ? textAt(spec, "claimRef", "name") === claim
          : kind !== "SampleDB" && metadata.labels?.[LABEL.database] === name,
      )
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, thing]) => thing);
  }
}
