import { setTimeout as delay } from "node:timers/promises";
import { Hopeless, waitUntil } from "../../support/cluster/wait-until.ts";
import type { PlainApi } from "../../support/plain-api.ts";

const PATH = "/apis/sampledb.dev/v1/namespaces/shop/sampledbs";
const BURST = 10;
const EVERY_MS = 200;
const BURSTS_A_CONNECTION = 5;

/** 50 writes a second, each through both webhooks: creations, and changes of what was created, half and half, in bursts of ten. */
export class Load {
  readonly #api: PlainApi;
  readonly #betweenBursts: () => Promise<void>;
  readonly #label: string;
  #made = 0;
  #answered = 0;
  readonly #failures: string[] = [];
  #isEnding = false;
  readonly #ended: Promise<void>;

  /** `renew` is awaited once a second, while nothing is asked. */
  constructor(api: PlainApi, label: string, renew: () => Promise<void>) {
    this.#api = api;
    this.#label = label;
    this.#betweenBursts = renew;
    this.#ended = this.#go();
  }

  /** Requests that were answered as they should be. */
  get answered(): number {
    return this.#answered;
  }

  /** What went wrong, a text each. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  async #try(method: string, path: string, body: object): Promise<void> {
    try {
      const answer = JSON.stringify(await this.#api.call(method, path, body));
      if (!answer.includes("sampledb.dev/retire")) throw new Error(`mutate was not asked: ${answer}`);
      this.#answered += 1;
    } catch (cause) {
      this.#failures.push(String(cause));
    }
  }

  async #burst(): Promise<void> {
    const earlier = this.#made;
    const half = Array.from({ length: BURST / 2 }, (_, index) => index);
    this.#made += half.length;
    const nameOf = (index: number): string => `${this.#label}-${index}`;
    const create = (index: number): Promise<void> =>
      this.#try("POST", PATH, {
        apiVersion: "sampledb.dev/v1",
        kind: "SampleDB",
        metadata: { name: nameOf(earlier + index) },
        spec: {},
      });
    const change = (index: number): Promise<void> =>
      this.#try("PATCH", `${PATH}/${nameOf(earlier - 1 - index)}`, { spec: { paused: true } });
    const changes = earlier === 0 ? [] : half.map((index) => change(index));
    await Promise.all([...half.map((index) => create(index)), ...changes]);
  }

  async #go(): Promise<void> {
    let next = performance.now();
    for (let bursts = 0; !this.#isEnding; bursts += 1) {
      if (bursts % BURSTS_A_CONNECTION === 0) await this.#betweenBursts();
      await this.#burst();
      // A machine that is too slow for this is not flooded afterwards.
      next = Math.max(next + EVERY_MS, performance.now() - EVERY_MS);
      await delay(Math.max(0, next - performance.now()));
    }
  }

  /** Waits until so many more requests were answered; throws where one failed. */
  async goesOn(more: number): Promise<void> {
    const until = this.#answered + more;
    const isThere = (): Promise<true | undefined> => {
      if (this.#failures.length > 0) throw new Hopeless(this.#failures.slice(0, 3).join("\n"));
      return Promise.resolve(this.#answered >= until || undefined);
    };
    await waitUntil(isThere, { what: `${more} more answered requests`, timeoutMs: 300_000 });
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    await this.#ended;
  }
}
