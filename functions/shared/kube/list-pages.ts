import type { ApiServer } from "./api-server.ts";
import { pathOf } from "./path-of.ts";
import type { Place } from "./path-of.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import type { Kind, Kinds } from "./kinds.ts";

/** One page of a list, as the API server sends it. */
type Page<T> = {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly T[];
};

export type ListOptions = {
  readonly accept?: string;
  readonly signal: AbortSignal;
  /** Selectors and the like. */
  readonly query?: Readonly<Record<string, string>>;
};

/** Objects a page: a bound on what a process holds in memory at once. */
const PAGE = "500";

/**
 * Reads a list page by page. Throws a Fault; its code is 410 where paging took so long that the list has to be begun anew.
 * @yields the items of one page, and the list's resource version
 */
export const listPages = async function* listPages<K extends Kind>(
  api: ApiServer,
  kind: K,
  place: Place,
  options: ListOptions,
): AsyncGenerator<{ readonly items: readonly Kinds[K][]; readonly resourceVersion: string }> {
  const { accept, signal } = options;
  let token: string | undefined = "";
  while (token !== undefined) {
    const query = { ...options.query, limit: PAGE, ...(token === "" ? {} : { continue: token }) };
    const path = pathOf(kind, place, query);
    const text = await api.call({ method: "GET", path, ...(accept === undefined ? {} : { accept }), signal });
    const page = parsedAnswer(path, (): Page<Kinds[K]> => JSON.parse(text));
    yield { items: page.items ?? [], resourceVersion: page.metadata?.resourceVersion ?? "" };
    token = page.metadata?.continue === "" ? undefined : page.metadata?.continue;
  }
};
