import type { ObjectMeta } from "../api/sampledb.ts";
import type { ApiServer } from "./api-server.ts";
import { Fault } from "./fault.ts";
import type { Kind } from "./kinds.ts";
import { listPages } from "./list-pages.ts";
import { pathOf } from "./path-of.ts";

/** Which objects: `namespace` undefined is all of them, `labelSelector` undefined any label. */
export type Selection = {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly labelSelector?: string;
};

const accept = (as: string): string => `application/json;as=${as};g=meta.k8s.io;v=v1`;

const selectorOf = ({ labelSelector }: Selection): Readonly<Record<string, string>> =>
  labelSelector === undefined ? {} : { labelSelector };

/**
 * Lists metadata alone: no Secret's content, no spec leaves the API server. Throws a Fault, of code 410 where paging took too long.
 * @yields one page, and the resource version from which a watch goes on
 */
export const listMetadata = async function* listMetadata(
  api: ApiServer,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<{ readonly items: readonly ObjectMeta[]; readonly resourceVersion: string }> {
  const place = { namespace: selection.namespace };
  const options = { accept: accept("PartialObjectMetadataList"), query: selectorOf(selection), signal };
  for await (const { items, resourceVersion } of listPages(api, selection.kind, place, options)) {
    yield { items: items.map(({ metadata }) => metadata ?? {}), resourceVersion };
  }
};

/** What changed. A bookmark says only how far the watch has come: `changed` is undefined. */
export type MetadataEvent = { readonly resourceVersion: string; readonly changed: ObjectMeta | undefined };

type WatchLine = {
  readonly type?: string;
  readonly object?: { readonly metadata?: ObjectMeta; readonly code?: number; readonly message?: string };
};

const faultIn = (line: string, { code = 0, message }: NonNullable<WatchLine["object"]>): Fault =>
  new Fault(code === 410 ? "refused" : "unavailable", `watch: ${message ?? line.slice(0, 200)}`, { code });

const eventOf = (line: string): MetadataEvent => {
  const { type, object = {} }: WatchLine = JSON.parse(line);
  if (type === "ERROR" || object.metadata === undefined) throw faultIn(line, object);
  const { resourceVersion = "" } = object.metadata;
  return { resourceVersion, changed: type === "BOOKMARK" ? undefined : object.metadata };
};

/** After this many seconds the API server ends a watch; spread, so that those of one process do not all begin anew together. */
const watchSeconds = (): number => 240 + Math.floor(Math.random() * 60);

/**
 * Watches metadata alone, on a connection of its own, from `resourceVersion` on, until the API server ends it (normal, after some
 * minutes). Throws a Fault, of code 410 where that version is too old.
 * @yields each change, and bookmarks
 */
export const watchMetadata = async function* watchMetadata(
  api: ApiServer,
  selection: Selection,
  resourceVersion: string,
  signal: AbortSignal,
): AsyncGenerator<MetadataEvent> {
  const seconds = watchSeconds();
  const query = {
    ...selectorOf(selection),
    watch: "true",
    allowWatchBookmarks: "true",
    timeoutSeconds: `${seconds}`,
    resourceVersion,
  };
  // A connection that died without a word would keep silent for ever.
  const limit = AbortSignal.any([signal, AbortSignal.timeout((seconds + 30) * 1000)]);
  const lines = await api.stream({
    method: "GET",
    path: pathOf(selection.kind, { namespace: selection.namespace }, query),
    accept: accept("PartialObjectMetadata"),
    signal: limit,
  });
  for await (const line of lines) yield eventOf(line);
};
