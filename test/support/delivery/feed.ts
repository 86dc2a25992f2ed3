import { CHILD_KINDS } from "../../../functions/shared/api/child-kinds.ts";
import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";
import { type Change, type Thing, textAt } from "./change.ts";

const CHILDREN: readonly Kind[] = CHILD_KINDS;

type Listener = (change: Change) => void;
type List = { readonly metadata: { readonly resourceVersion: string } };
type Line = { readonly type: string; readonly object: Thing };

const isChange = (type: string): type is Change["type"] => ["ADDED", "MODIFIED", "DELETED"].includes(type);

const selectorOf = (kind: Kind): Readonly<Record<string, string>> =>
  CHILDREN.includes(kind) ? { labelSelector: LABEL.database } : {};

/** The namespace that an object is about: a volume's is its claim's. */
const namespaceOf = ({ metadata, spec }: Thing): string =>
  metadata.namespace ?? textAt(spec, "claimRef", "namespace") ?? "";

/** Watches all SampleDBs, their children and all volumes of an API server, and tells each change to whoever listens to its namespace. */
export class Feed {
  readonly #api: ApiServer;
  readonly #listeners = new Map<string, Listener>();
  readonly #stopping = new AbortController();
  #watches: readonly Promise<void>[] = [];

  private constructor(api: ApiServer) {
    this.#api = api;
  }

  /** Resolves once every watch goes on from where it was listed. */
  static async start(api: ApiServer): Promise<Feed> {
    const feed = new Feed(api);
    const kinds: readonly Kind[] = ["SampleDB", "PersistentVolume", ...CHILDREN];
    const streams = await Promise.all(kinds.map(async (kind) => ({ kind, lines: await feed.#open(kind) })));
    feed.#watches = streams.map(({ kind, lines }) => feed.#read(kind, lines));
    return feed;
  }

  listen(namespace: string, listener: Listener): void {
    this.#listeners.set(namespace, listener);
  }

  forget(namespace: string): void {
    this.#listeners.delete(namespace);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#watches);
  }

  async #open(kind: Kind): Promise<AsyncIterable<string>> {
    const { signal } = this.#stopping;
    const list: List = JSON.parse(
      await this.#api.call({
        method: "GET",
        path: pathOf(kind, {}, { ...selectorOf(kind), limit: "1" }),
        signal,
      }),
    );
    const query = {
      ...selectorOf(kind),
      watch: "true",
      // Longer than any run: a watch that ends is an error here.
      timeoutSeconds: "86400",
      resourceVersion: list.metadata.resourceVersion,
    };
    return this.#api.stream({ method: "GET", path: pathOf(kind, {}, query), signal });
  }

  async #read(kind: Kind, lines: AsyncIterable<string>): Promise<void> {
    try {
      for await (const text of lines) {
        const { type, object }: Line = JSON.parse(text);
        if (!isChange(type)) throw new Error(`watch of ${kind}: ${text.slice(0, 200)}`);
        this.#listeners.get(namespaceOf(object))?.({ kind, type, thing: object });
      }
    } catch (cause) {
      if (this.#stopping.signal.aborted) return;
      throw cause;
    }
    if (!this.#stopping.signal.aborted) throw new Error(`the watch of ${kind} ended`);
  }
}
