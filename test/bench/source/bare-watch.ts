import type { ApiServer } from "../../../functions/shared/kube/api-server.ts";
import { pathOf } from "../../../functions/shared/kube/path-of.ts";

export type BareWatch = AsyncDisposable;

type Line = { readonly object?: { readonly metadata?: { readonly name?: string } } };

/** The other side: one watch of ConfigMaps' metadata that does nothing but tell which one changed. Begins with what changes from now on. */
export const bareWatch = async (
  api: ApiServer,
  namespace: string,
  onChange: (name: string) => void,
): Promise<BareWatch> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  const list: { metadata: { resourceVersion: string } } = JSON.parse(
    await api.call({ method: "GET", path: pathOf("ConfigMap", { namespace }, { limit: "1" }), signal }),
  );
  const query = { watch: "true", resourceVersion: list.metadata.resourceVersion };
  const path = pathOf("ConfigMap", { namespace }, query);
  const lines = await api.stream({ method: "GET", path, accept, signal });
  const read = async (): Promise<void> => {
    for await (const text of lines) {
      const line: Line = JSON.parse(text);
      onChange(line.object?.metadata?.name ?? "");
    }
  };
  const reading = read().catch((cause: unknown) => {
    if (!signal.aborted) throw cause;
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await reading;
    },
  };
};
