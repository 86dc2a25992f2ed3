import { keyText } from "../shared/api/key.ts";
import type { Key } from "../shared/api/key.ts";
import type { Delivery } from "../shared/serve/delivery-of.ts";

export type KeyQueueOptions = {
  readonly deliver: (key: Key) => Promise<Delivery>;
  /** Keys in flight at once. */
  readonly concurrency: number;
  /** How long to wait after so many failures in a row, in milliseconds. */
  readonly backOffMs: (failures: number) => number;
  readonly wait: (ms: number) => Promise<unknown>;
  /**
   * So long after its delivery a key rests, in milliseconds, 0 where it is not said: what a pass writes comes back as events, and so does
   * what controllers do about it. All that happens meanwhile is one delivery at the end of the rest, however much it is.
   */
  readonly restMs?: number;
};

type Entry = {
  readonly key: Key;
  /** Something happened while it was in flight or rested: what was in flight may have read the state before. */
  isDirty: boolean;
  failures: number;
};

/** So many different keys that fail in a row, and none that does not: it is no longer the keys. */
const TELLING = 8;
/** While nothing can be delivered, one key is tried at least this often: every other waits for it. */
const LONGEST_PAUSE_MS = 2000;

/**
 * One line for all keys: events of one key are delivered in order and never two at once, several events that wait become one. A key that
 * fails is tried again later and holds up no other. Where many different keys fail in a row it is the sink: then one key at a time is
 * tried, with a pause after each, until one is taken.
 */
export class KeyQueue {
  readonly #options: KeyQueueOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #line: Entry[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  /** What failed since the last delivery that did not. */
  readonly #failed = new Set<Entry>();
  /** Deliveries that were tried since the sink was found to be down. */
  #probes = 0;
  /** A probe is in flight, or the pause after it goes on. */
  #isProbing = false;
  #isStopped = false;

  constructor(options: KeyQueueOptions) {
    this.#options = options;
  }

  /** Keys that wait, are in flight, rest or will be tried again: what the memory is bounded by. */
  get size(): number {
    return this.#entries.size;
  }

  /** There may be something to do for this key. The first is sent at once. Calls for a key that waits anyway change nothing. */
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

  #isDown(): boolean {
    return this.#failed.size >= TELLING;
  }

  #mayStart(): boolean {
    if (this.#isStopped || this.#inFlight.size >= this.#options.concurrency) return false;
    return !(this.#isDown() && this.#isProbing);
  }

  #startNext(): void {
    while (this.#mayStart()) {
      const entry = this.#line.shift();
      if (entry === undefined) return;
      // What happened while it waited is covered by this delivery.
      entry.isDirty = false;
      const running = (this.#isDown() ? this.#probe(entry) : this.#deliver(entry)).finally(() => {
        this.#inFlight.delete(running);
        this.#startNext();
      });
      this.#inFlight.add(running);
    }
  }

  async #probe(entry: Entry): Promise<void> {
    this.#isProbing = true;
    this.#probes += 1;
    await this.#deliver(entry);
    if (this.#isDown()) void this.#pause();
    else this.#isProbing = false;
  }

  // No part of the probe: it holds up neither others, once one was taken, nor the end.
  async #pause(): Promise<void> {
    await this.#options.wait(Math.min(this.#options.backOffMs(this.#probes), LONGEST_PAUSE_MS));
    this.#isProbing = false;
    this.#startNext();
  }

  async #deliver(entry: Entry): Promise<void> {
    const delivery = await this.#options.deliver(entry.key);
    if (delivery === "again") {
      this.#failed.add(entry);
      entry.failures += 1;
      void this.#enqueueLater(entry);
      return;
    }
    this.#failed.clear();
    this.#probes = 0;
    entry.failures = 0;
    if ((this.#options.restMs ?? 0) > 0) void this.#rest(entry);
    else this.#conclude(entry);
  }

  // Not part of the delivery: a key that rests takes no place from others.
  async #rest(entry: Entry): Promise<void> {
    await this.#options.wait(this.#options.restMs ?? 0);
    this.#conclude(entry);
  }

  #conclude(entry: Entry): void {
    if (entry.isDirty) this.#enqueue(entry);
    else this.#entries.delete(keyText(entry.key));
  }

  // Not part of the delivery: a key that waits to be tried again takes no place from others.
  async #enqueueLater(entry: Entry): Promise<void> {
    await this.#options.wait(this.#options.backOffMs(entry.failures));
    this.#enqueue(entry);
  }
}
