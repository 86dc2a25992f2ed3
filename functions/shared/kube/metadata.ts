import type { ObjectMeta } from "../api/sampledb.ts";
import type { ApiServer } from "./api-server.ts";
import { Fault } from "./fault.ts";
import { itemTexts } from "./item-texts.ts";
import type { Kind } from "./kinds.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import { pathOf } from "./path-of.ts";
import { patience } from "./patience.ts";
import type { Patience } from "./patience.ts";

/** Which objects: `namespace` undefined is all of them, `labelSelector` undefined any label. */
export type Selection = {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly labelSelector?: string;
};

const accept = (as: string): string => `application/json;as=${as};g=meta.k8s.io;v=v1`;

const selectorOf = ({ labelSelector }: Selection): Readonly<Record<string, string>> =>
  labelSelector === undefined ? {} : { labelSelector };

type Item = { readonly metadata?: ObjectMeta };
type Rest = { readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string } };

/** Objects a page. Fewer than of whole objects: this is what those who watch thousands hold in memory at once. */
const PAGE = "250";

export type MetadataPage = { readonly items: Iterable<ObjectMeta>; readonly resourceVersion: string };

const metadataOf = function* metadataOf(path: string, texts: readonly string[]): Generator<ObjectMeta> {
  for (const text of texts) yield parsedAnswer(path, (): Item => JSON.parse(text)).metadata ?? {};
};

/**
 * Lists metadata alone: no Secret's content, no spec leaves the API server. Throws a Fault, of code 410 where paging took too long.
 * @yields one page, whose items can be read once, and the resource version from which a watch goes on
 */
export const listMetadata = async function* listMetadata(
  api: ApiServer,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<MetadataPage> {
  let token: string | undefined = "";
  while (token !== undefined) {
    const query = { ...selectorOf(selection), limit: PAGE, ...(token === "" ? {} : { continue: token }) };
    const path = pathOf(selection.kind, { namespace: selection.namespace }, query);
    const text = await api.call({ method: "GET", path, accept: accept("PartialObjectMetadataList"), signal });
    const { items, rest } = itemTexts(text);
    const { metadata = {} } = parsedAnswer(path, (): Rest => JSON.parse(rest));
    yield { items: metadataOf(path, items), resourceVersion: metadata.resourceVersion ?? "" };
    token = metadata.continue === "" ? undefined : metadata.continue;
  }
};

/** What changed. A bookmark says only how far the watch has come: `changed` is undefined. */
export type MetadataEvent = {
  readonly resourceVersion: string;
  readonly changed: ObjectMeta | undefined;
  /** It was deleted, or is no longer selected. */
  readonly isGone: boolean;
};

type WatchLine = {
  readonly type?: string;
  readonly object?: { readonly metadata?: ObjectMeta; readonly code?: number; readonly message?: string };
};

const faultIn = (line: string, { code = 0, message }: NonNullable<WatchLine["object"]>): Fault =>
  new Fault(code === 410 ? "refused" : "unavailable", `watch: ${message ?? line.slice(0, 200)}`, { code });

const parsed = (line: string): WatchLine => {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Fault("unavailable", "watch: a line that is not JSON, or not whole", { cause });
  }
};

const eventOf = (line: string): MetadataEvent => {
  const { type, object = {} } = parsed(line);
  const { resourceVersion = "" } = object.metadata ?? {};
  // Without a version the next watch would begin anywhere, and what happened before it would be missed.
  if (type === "ERROR" || object.metadata === undefined || resourceVersion === "")
    throw faultIn(line, object);
  return {
    resourceVersion,
    changed: type === "BOOKMARK" ? undefined : object.metadata,
    isGone: type === "DELETED",
  };
};

const eventsOf = async function* eventsOf(
  lines: AsyncIterable<string>,
  limit: Patience,
): AsyncGenerator<MetadataEvent> {
  try {
    for await (const line of lines) {
      limit.heard();
      yield eventOf(line);
    }
  } catch (cause) {
    // Where nothing happens, an API server may send no bookmark either: silence is an end like any other.
    if (!limit.isOver()) throw cause;
  } finally {
    limit.end();
  }
};

/** After this many seconds the API server ends a watch; spread, so that those of one process do not all begin anew together. */
const watchSeconds = (): number => 240 + Math.floor(Math.random() * 60);

export type WatchOptions = {
  /** From here on. */
  readonly resourceVersion: string;
  /** A watch that says nothing for so long is given up. A living one sends a bookmark every minute. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
};

/**
 * Watches metadata alone, on a connection of its own: each change, and bookmarks, until the API server ends it (normal, after some
 * minutes) or it fell silent. Throws a Fault, here or while it is read, of code 410 where that version is too old.
 */
export const watchMetadata = async (
  api: ApiServer,
  selection: Selection,
  { resourceVersion, silenceMs, signal }: WatchOptions,
): Promise<AsyncIterable<MetadataEvent>> => {
  const query = {
    ...selectorOf(selection),
    watch: "true",
    allowWatchBookmarks: "true",
    timeoutSeconds: `${watchSeconds()}`,
    resourceVersion,
  };
  const limit = patience(silenceMs, signal);
  try {
    const lines = await api.stream({
      method: "GET",
      path: pathOf(selection.kind, { namespace: selection.namespace }, query),
      accept: accept("PartialObjectMetadata"),
      signal: limit.signal,
    });
    return eventsOf(lines, limit);
  } catch (cause) {
    limit.end();
    throw cause;
  }
};
