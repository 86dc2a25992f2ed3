import type { SampleDB } from "../../../functions/shared/api/sampledb.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import type { PlainApi } from "../../support/plain-api.ts";
import { DELETABLE, NAMESPACE, childOf, edited } from "./load.ts";

const isReady = ({ metadata, status }: SampleDB): boolean =>
  status?.observedGeneration === metadata.generation &&
  status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;

const LONGEST_MS = 900_000;

/** Watches how far a side has come. */
export class Convergence implements Disposable {
  readonly #stopping = new AbortController();
  readonly #sampledbs = new Map<string, SampleDB>();
  readonly #children = new Map<string, string>();
  readonly #api: PlainApi;

  constructor(api: PlainApi) {
    this.#api = api;
    const { signal } = this.#stopping;
    const ended = (cause: unknown): void => {
      if (!signal.aborted) throw cause;
    };
    api
      .follow({ kind: "SampleDB", namespace: NAMESPACE }, signal, (sampledb) => {
        this.#sampledbs.set(sampledb.metadata.name ?? "", sampledb);
      })
      .catch(ended);
    for (const kind of new Set(DELETABLE.map((each) => each.kind))) {
      api
        .follow(
          { kind, namespace: NAMESPACE, metadataOnly: true },
          signal,
          ({ metadata = {} }, isDeleted) => {
            const id = `${kind} ${metadata.name ?? ""}`;
            if (isDeleted) this.#children.delete(id);
            else this.#children.set(id, metadata.uid ?? "");
          },
        )
        .catch(ended);
    }
  }

  [Symbol.dispose](): void {
    this.#stopping.abort();
  }

  /** Every one is Ready as of a generation from `generation` on. */
  allReady(names: readonly string[], generation: number): Promise<true> {
    return this.#until("every SampleDB to be Ready", () =>
      names.every((name) => {
        const found = this.#sampledbs.get(name);
        return found !== undefined && (found.metadata.generation ?? 0) >= generation && isReady(found);
      }),
    );
  }

  /** Every StatefulSet is as the edit says. */
  async allEdited(count: number): Promise<void> {
    await this.#until("every StatefulSet to be edited", async () => (await edited(this.#api)) === count);
  }

  /** Identities of the children that will be deleted. */
  victims(names: readonly string[]): ReadonlyMap<string, string> {
    return new Map(
      names.map((name, index) => {
        const { kind, child } = childOf(name, index);
        const id = `${kind} ${child}`;
        const uid = this.#children.get(id);
        if (uid === undefined) throw new Error(`${id} is not there`);
        return [id, uid];
      }),
    );
  }

  /** Every one of them is there again, as another object. */
  allBack(victims: ReadonlyMap<string, string>): Promise<true> {
    return this.#until("every child to be back", () =>
      [...victims].every(([id, uid]) => this.#children.has(id) && this.#children.get(id) !== uid),
    );
  }

  #until(what: string, ask: () => boolean | Promise<boolean>): Promise<true> {
    const once = async (): Promise<true | undefined> => (await ask()) || undefined;
    return waitUntil<true>(once, { what, timeoutMs: LONGEST_MS, everyMs: 50 });
  }
}
