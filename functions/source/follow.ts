import type { ObjectMeta } from "../shared/api/sampledb.ts";
import type { ApiServer } from "../shared/kube/api-server.ts";
import { Fault } from "../shared/kube/fault.ts";
import { listMetadata, watchMetadata } from "../shared/kube/metadata.ts";
import type { Selection } from "../shared/kube/metadata.ts";
import { patience } from "../shared/kube/patience.ts";
import { log } from "../shared/serve/log.ts";

export type FollowOptions = {
  readonly api: ApiServer;
  readonly selection: Selection;
  /** An object exists, changed or went away. */
  readonly onItem: (item: ObjectMeta, why: "listed" | "changed" | "gone") => void;
  /**
   * A list begins, of which every object is told; it may begin anew before its end. `isFirst` is false where events may have been missed
   * before: objects that went away then are in no list.
   */
  readonly onListing: (isFirst: boolean) => void;
  /** The list was read to its end: from here on nothing of this kind is missed. */
  readonly onListed: () => void;
  /** Whether changes of this kind are heard of now. False at first, and where it failed several times in a row. */
  readonly onHealth: (isHealthy: boolean) => void;
  readonly backOffMs: (failures: number) => number;
  readonly wait: (ms: number) => Promise<unknown>;
  /** A watch that says nothing for so long is begun anew. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
};

/** Of one page. */
const PAGE_MS = 60_000;
/** A watch that lived for less is no success, even if it ended in order. */
const SHORT_MS = 1000;
/** One failure is a connection that was cut; so many in a row are not. */
const TOO_MANY_FAILURES = 3;

/** Tells everything that exists and gives the version from which a watch goes on. */
const list = async (options: FollowOptions): Promise<string> => {
  const { api, selection, onItem, signal } = options;
  const limit = patience(PAGE_MS, signal);
  let version = "";
  try {
    for await (const { items, resourceVersion } of listMetadata(api, selection, limit.signal)) {
      limit.heard();
      version = resourceVersion;
      for (const item of items) onItem(item, "listed");
    }
  } finally {
    limit.end();
  }
  // A watch without a version would begin anywhere.
  if (version === "") throw new Fault("unavailable", "list: it says no resource version");
  return version;
};

const isExpired = (cause: unknown): boolean => cause instanceof Fault && cause.code === 410;

/** Follows one kind: where it is in the stream of changes. */
class Follower {
  readonly #options: FollowOptions;
  /** Undefined: a list is due. */
  #version: string | undefined;
  #hasListed = false;
  #failures = 0;
  /** Of the watch that is or was the last one; undefined where there was none since the last failure. */
  #openedAt: number | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    while (!this.#options.signal.aborted) {
      try {
        await this.#listAndWatch();
      } catch (cause) {
        if (this.#options.signal.aborted) return;
        await this.#recover(cause);
      }
    }
  }

  async #listAndWatch(): Promise<void> {
    const { api, selection, onItem, onListing, onListed, onHealth, silenceMs, signal } = this.#options;
    if (this.#version === undefined) {
      onListing(!this.#hasListed);
      this.#version = await list(this.#options);
      onListed();
      this.#hasListed = true;
    }
    const from = { resourceVersion: this.#version, silenceMs, signal };
    const events = await watchMetadata(api, selection, from);
    this.#openedAt = performance.now();
    if (this.#failures >= TOO_MANY_FAILURES) log({ message: "watching again", kind: selection.kind });
    onHealth(true);
    // The API server ends every watch after some minutes; the next one goes on where it ended.
    for await (const { resourceVersion, changed, isGone } of events) {
      this.#failures = 0;
      this.#version = resourceVersion;
      if (changed !== undefined) onItem(changed, isGone ? "gone" : "changed");
    }
    if (this.#version === from.resourceVersion && !this.#hasLived()) {
      throw new Fault("unavailable", "watch: it ended at once");
    }
  }

  #hasLived(): boolean {
    const short = Math.min(SHORT_MS, this.#options.silenceMs / 2);
    return this.#openedAt !== undefined && performance.now() - this.#openedAt >= short;
  }

  async #recover(cause: unknown): Promise<void> {
    const { selection, backOffMs, wait, onHealth } = this.#options;
    if (isExpired(cause)) this.#version = undefined;
    this.#failures = this.#hasLived() ? 1 : this.#failures + 1;
    this.#openedAt = undefined;
    if (this.#failures >= TOO_MANY_FAILURES) onHealth(false);
    const message = cause instanceof Error ? cause.message : String(cause);
    log({ level: "warning", message, kind: selection.kind, failures: this.#failures });
    await wait(backOffMs(this.#failures));
  }
}

/**
 * Tells everything selected: first by a list, then by a watch that goes on where it was cut off, and by another list where
 * that is too long ago (410). Goes on, with back-off, until `signal` says stop; a kind that is not installed yet is waited for.
 */
export const follow = (options: FollowOptions): Promise<void> => new Follower(options).run();
