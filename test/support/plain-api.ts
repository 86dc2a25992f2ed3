import type { Kind, Kinds } from "../../functions/shared/kube/kinds.ts";
import { pathOf } from "../../functions/shared/kube/path-of.ts";
import { readAccess } from "../../functions/shared/kube/read-access.ts";
import { sender } from "../../functions/shared/serve/send.ts";

/** What a test asks of the API server itself, under a user agent of its own, so that the functions' requests can be told from it. */
export type PlainApi = {
  /** The answer as JSON; throws on any status but 2xx. A PATCH is a merge patch. */
  readonly call: (method: string, path: string, body?: object) => Promise<unknown>;
  /** Watches a collection from its present state on, until `signal`: calls back with each object and whether it was deleted. */
  readonly follow: <K extends Kind>(
    selection: { readonly kind: K; readonly namespace: string; readonly metadataOnly?: boolean },
    signal: AbortSignal,
    on: (object: Kinds[K], isDeleted: boolean) => void,
  ) => Promise<void>;
  readonly close: () => void;
};

const METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

const typeOf = (method: string, body: object | undefined): Readonly<Record<string, string>> => {
  if (body === undefined) return {};
  return { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" };
};

/** At most `connections` requests at once; further ones wait. */
export const plainApi = async (kubeconfig: string, connections: number): Promise<PlainApi> => {
  const access = await readAccess({ KUBECONFIG: kubeconfig })();
  const { send, stream, close } = sender(access.target, connections);
  const headers = { ...access.headers, "user-agent": "test" };
  return {
    call: async (method, path, body) => {
      const { status, body: text } = await send({
        method,
        path,
        headers: { ...headers, ...typeOf(method, body) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      });
      if (status >= 200 && status < 300) return JSON.parse(text);
      throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    },
    follow: async <K extends Kind>(
      { kind, namespace, metadataOnly = false }: Parameters<PlainApi["follow"]>[0] & { readonly kind: K },
      signal: AbortSignal,
      on: (object: Kinds[K], isDeleted: boolean) => void,
    ) => {
      const { lines } = await stream({
        method: "GET",
        path: pathOf(kind, { namespace }, { watch: "true" }),
        headers: { ...headers, accept: metadataOnly ? METADATA : "application/json" },
        signal,
      });
      for await (const line of lines) {
        const { type, object }: { readonly type: string; readonly object: Kinds[K] } = JSON.parse(line);
        on(object, type === "DELETED");
      }
    },
    close,
  };
};
