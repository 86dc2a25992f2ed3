import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";

/** The SampleDBs that exist, as far as was heard. */
export class KnownKeys {
  #keys = new Map<string, Key>();
  /** Of the list that is being read. */
  #listed = new Map<string, Key>();

  /** This one exists, or was deleted. */
  heard(key: Key, isGone: boolean): void {
    const text = keyText(key);
    if (isGone) {
      this.#keys.delete(text);
      return;
    }
    this.#keys.set(text, key);
    this.#listed.set(text, key);
  }

  has(key: Key): boolean {
    return this.#keys.has(keyText(key));
  }

  /** A list begins, of which every key will be heard. */
  listing(): void {
    this.#listed = new Map();
  }

  /** What was heard since `listing` exists and nothing else. Gives those that went away unseen. */
  listed(): readonly Key[] {
    const gone = [...this.#keys].filter(([text]) => !this.#listed.has(text)).map(([, key]) => key);
    this.#keys = this.#listed;
    return gone;
  }

  all(): Iterable<Key> {
    return this.#keys.values();
  }
}
