import { CHILD_KINDS } from "../../../functions/shared/api/child-kinds.ts";
import { FINALIZER, ANNOTATION } from "../../../functions/shared/api/markers.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import { type Change, type Thing, textAt } from "./change.ts";
import { FOREIGN_FINALIZER } from "./story.ts";

/** Kinds that only a deletion of their SampleDB ends, or a user's hand. */
const LASTING: ReadonlySet<Kind> = new Set(CHILD_KINDS.filter((kind) => kind !== "Job" && kind !== "Pod"));
const DATA: ReadonlySet<Kind> = new Set(["Secret", "PersistentVolumeClaim"]);

const idOf = (kind: Kind, name: string): string => `${kind} ${name}`;

/** What must hold at every moment, seen in a watch of everything: nobody loses a finalizer, and nothing is deleted that should live. */
export class Rules {
  readonly broken: string[] = [];
  /** uids of SampleDBs that their user deleted. */
  readonly #doomed = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #released = new Set<string>();
  readonly #held = new Map<string, Set<string>>();
  readonly #wiped = new Map<string, boolean>();
  readonly #passwords = new Map<string, string>();

  /** The user deletes the SampleDB of this uid. */
  doom(uid: string): void {
    this.#doomed.add(uid);
  }

  /** The user deletes a child. */
  remove(kind: Kind, name: string): void {
    this.#removed.add(idOf(kind, name));
  }

  /** Whoever held the SampleDB of this uid with a finalizer of their own lets go. */
  release(uid: string): void {
    this.#released.add(uid);
  }

  take(change: Change): void {
    const { kind, type, thing } = change;
    if (kind === "SampleDB") this.#judgeSampleDB(thing);
    if (kind === "Secret" && type !== "DELETED") this.#judgePassword(thing);
    if (type === "DELETED" && LASTING.has(kind)) this.#judgeEnd(change);
  }

  #judgeSampleDB({ metadata, spec }: Thing): void {
    const { uid = "", name = "", finalizers = [], deletionTimestamp } = metadata;
    this.#wiped.set(uid, textAt(spec, "deletion", "policy") === "Wipe");
    const before = this.#held.get(uid) ?? new Set();
    this.#held.set(uid, new Set([...before, ...finalizers]));
    const hasLost = (finalizer: string): boolean => before.has(finalizer) && !finalizers.includes(finalizer);
    if (deletionTimestamp === undefined && hasLost(FINALIZER)) {
      this.broken.push(`SampleDB ${name} lives and lost its finalizer`);
    }
    if (hasLost(FOREIGN_FINALIZER) && !this.#released.has(uid)) {
      this.broken.push(`SampleDB ${name} lost somebody else's finalizer`);
    }
  }

  #judgePassword({ metadata, data }: Thing): void {
    const { uid = "", name = "" } = metadata;
    const password = data?.["password"] ?? "";
    const before = this.#passwords.get(uid);
    if (before !== undefined && before !== password)
      this.broken.push(`the password in Secret ${name} changed`);
    this.#passwords.set(uid, password);
  }

  #judgeEnd({ kind, thing }: Change): void {
    const { name = "", annotations = {} } = thing.metadata;
    const owner = annotations[ANNOTATION.ownerUid] ?? "";
    if (this.#removed.delete(idOf(kind, name))) return;
    if (!this.#doomed.has(owner)) this.broken.push(`${kind} ${name} was deleted, and its SampleDB was not`);
    else if (DATA.has(kind) && this.#wiped.get(owner) !== true) {
      this.broken.push(`${kind} ${name} was deleted under the policy Retain`);
    }
  }
}
