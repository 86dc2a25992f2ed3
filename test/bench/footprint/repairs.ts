import { EventEmitter, once } from "node:events";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";
import type { PlainApi } from "../../support/plain-api.ts";
import { NAMESPACE } from "../events/load.ts";

/** A SampleDB's Service, which is deleted by hand to see how soon it is back. */
export class Repairs implements Disposable {
  readonly #api: PlainApi;
  readonly #stopping = new AbortController();
  readonly #seen = new EventEmitter();

  constructor(api: PlainApi) {
    this.#api = api;
    const { signal } = this.#stopping;
    api
      .follow(
        { kind: "Service", namespace: NAMESPACE, metadataOnly: true },
        signal,
        ({ metadata }, isDeleted) => {
          this.#seen.emit(`${metadata?.name ?? ""}${isDeleted ? " gone" : ""}`);
        },
      )
      .catch((cause: unknown) => {
        if (!signal.aborted) throw cause;
      });
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
  }

  /** Deletes the Service and does what follows, if anything; the milliseconds from the deletion until the Service is seen again. */
  async repair(name: string, meanwhile?: () => Promise<unknown>): Promise<number> {
    const [gone, back] = [once(this.#seen, `${name} gone`), once(this.#seen, name)];
    const began = performance.now();
    await this.#api.call("DELETE", pathOf("Service", { namespace: NAMESPACE, name }));
    const work = meanwhile?.();
    await gone;
    await back;
    const took = performance.now() - began;
    await work;
    return took;
  }
}
