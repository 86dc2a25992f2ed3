import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";
import type { Delivery } from "../shared/serve/sink.ts";

export type KeyQueueOptions = {
  readonly deliver: (key: Key) => Promise<Delivery>;
  /** Keys in flight at once. */
  readonly concurrency: number;
  /** How long to wait after so many failures in a row, in milliseconds. */
  readonly backOffMs: (failures: number) => number;
  readonly wait: (ms: number) => Promise<unknown>;
};

type Entry = {
  readonly key: Key;
  /** Something happened while it was in flight: what is in flight may have read the state before. */
  isDirty: boolean;
  failures: number;
};

/** One line for all keys: events of one key are delivered in order and never two at once, several events that wait become one. */
export class KeyQueue {
  readonly #options: KeyQueueOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #line: Entry[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: KeyQueueOptions) {
    this.#options = options;
  }

  /** Keys that wait, are in flight or will be tried again: what the memory is bounded by. */
  get size(): number {
    return this.#entries.size;
  }

  /** There may be something to do for this key. Calls for a key that waits anyway change nothing. */
  add(key: Key): void {
    const known = this.#entries.get(keyText(key));
    if (known !== undefined) {
      known.isDirty = true;
      return;
    }
    const entry = { key, isDirty: false, failures: 0 };
    this.#entries.set(keyText(key), entry);
    this.#enqueue(entry);
  }

  /** Starts no more deliveries; resolves when those in flight have ended. What still waits is sent by the next process's first lists. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#inFlight);
  }

  #enqueue(entry: Entry): void {
    this.#line.push(entry);
    this.#startNext();
  }

  #startNext(): void {
    while (!this.#isStopped && this.#inFlight.size < this.#options.concurrency) {
      const entry = this.#line.shift();
      if (entry === undefined) return;
      // What happened while it waited is covered by this delivery.
      entry.isDirty = false;
      const running = this.#deliver(entry).finally(() => {
        this.#inFlight.delete(running);
        this.#startNext();
      });
      this.#inFlight.add(running);
    }
  }

  async #deliver(entry: Entry): Promise<void> {
    const delivery = await this.#options.deliver(entry.key);
    if (delivery === "again") {
      entry.failures += 1;
      void this.#enqueueLater(entry);
      return;
    }
    entry.failures = 0;
    if (entry.isDirty) this.#enqueue(entry);
    else this.#entries.delete(keyText(entry.key));
  }

  // Not part of the delivery: a key that waits to be tried again takes no place from others.
  async #enqueueLater(entry: Entry): Promise<void> {
    await this.#options.wait(this.#options.backOffMs(entry.failures));
    this.#enqueue(entry);
  }
}
