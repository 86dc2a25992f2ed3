import type { Key } from "../shared/api/key.ts";
import type { ApiServer } from "../shared/kube/api-server.ts";
import { Fault } from "../shared/kube/fault.ts";
import { listMetadata, watchMetadata } from "../shared/kube/metadata.ts";
import type { Selection } from "../shared/kube/metadata.ts";
import { log } from "../shared/serve/log.ts";
import { keyOf } from "../shared/api/key-of.ts";

export type FollowOptions = {
  readonly api: ApiServer;
  readonly selection: Selection;
  /** There may be something to do for this key. */
  readonly onKey: (key: Key) => void;
  /** A list was read to its end: from here on nothing of this kind is missed. `isFirst` is false where events may have been missed before. */
  readonly onListed: (isFirst: boolean) => void;
  readonly backOffMs: (failures: number) => number;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly signal: AbortSignal;
};

const LIST_MS = 60_000;

const list = async ({ api, selection, onKey, signal }: FollowOptions): Promise<string> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
  let version = "";
  for await (const { items, resourceVersion } of listMetadata(api, selection, limit)) {
    version = resourceVersion;
    for (const item of items) {
      const key = keyOf(selection.kind, item);
      if (key !== undefined) onKey(key);
    }
  }
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
    const { api, selection, onKey, onListed, signal } = this.#options;
    if (this.#version === undefined) {
      this.#version = await list(this.#options);
      onListed(!this.#hasListed);
      this.#hasListed = true;
    }
    // The API server ends every watch after some minutes; the next one goes on where it ended.
    for await (const { resourceVersion, changed } of watchMetadata(api, selection, this.#version, signal)) {
      this.#failures = 0;
      this.#version = resourceVersion;
      const key = changed === undefined ? undefined : keyOf(selection.kind, changed);
      if (key !== undefined) onKey(key);
    }
  }

  async #recover(cause: unknown): Promise<void> {
    const { selection, backOffMs, wait } = this.#options;
    if (isExpired(cause)) this.#version = undefined;
    this.#failures += 1;
    const message = cause instanceof Error ? cause.message : String(cause);
    log({ level: "warning", message, kind: selection.kind, failures: this.#failures });
    await wait(backOffMs(this.#failures));
  }
}

/**
 * Tells the keys of everything selected: first by a list, then by a watch that goes on where it was cut off, and by another list where
 * that is too long ago (410). Goes on, with back-off, until `signal` says stop; a kind that is not installed yet is waited for.
 */
export const follow = (options: FollowOptions): Promise<void> => new Follower(options).run();
