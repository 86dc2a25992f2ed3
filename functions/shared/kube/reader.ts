import type { ApiServer } from "./api-server.ts";
import { isMissing } from "./fault-of.ts";
import { RESOURCES } from "./kinds.ts";
import type { Kind, Kinds } from "./kinds.ts";
import { listPages } from "./list-pages.ts";
import { parsedAnswer } from "./parsed-answer.ts";
import { pathOf } from "./path-of.ts";

/** Reads objects, live, for one pass. */
export type Reader = {
  /** The object; undefined when it does not exist. Throws a Fault. */
  readonly get: <K extends Kind>(
    kind: K,
    name: string,
    namespace: string | undefined,
  ) => Promise<Kinds[K] | undefined>;
  /** Objects of one namespace (of the cluster where it is undefined) that `query` selects. Throws a Fault. */
  readonly list: <K extends Kind>(
    kind: K,
    namespace: string | undefined,
    query: Readonly<Record<string, string>>,
  ) => Promise<readonly Kinds[K][]>;
};

export const reader = (api: ApiServer, signal: AbortSignal): Reader => ({
  get: async <K extends Kind>(kind: K, name: string, namespace: string | undefined) => {
    try {
      const path = pathOf(kind, { namespace, name });
      const text = await api.call({ method: "GET", path, signal });
      return parsedAnswer(path, (): Kinds[K] => JSON.parse(text));
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw cause;
    }
  },
  list: async <K extends Kind>(
    kind: K,
    namespace: string | undefined,
    query: Readonly<Record<string, string>>,
  ) => {
    const found: Kinds[K][] = [];
    for await (const { items } of listPages(api, kind, { namespace }, { query, signal })) {
      // The items of a list do not say what they are.
      const itself = { apiVersion: RESOURCES[kind].apiVersion, kind };
      found.push(...items.map((item) => Object.assign(item, itself)));
    }
    return found;
  },
});
