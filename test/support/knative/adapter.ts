import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import { sender } from "../../../functions/shared/serve/send.ts";
import type { PlainApi } from "../plain-api.ts";
import { guessedPlural } from "./guessed-plural.ts";
import type { ApiServerSource } from "./knative-objects.ts";

type Resource = { readonly group: string; readonly path: string; readonly plural: string };

const resourcesOf = ({ spec }: ApiServerSource): readonly Resource[] =>
  spec.resources.map(({ apiVersion, kind }) => {
    const isCore = !apiVersion.includes("/");
    const plural = guessedPlural(kind);
    const group = isCore ? "" : (apiVersion.split("/")[0] ?? "");
    return { group, plural, path: `/${isCore ? "api" : "apis"}/${apiVersion}/${plural}` };
  });

/**
 * What Knative's controller asks before it makes an adapter (eventing, pkg/reconciler/apiserversource, runAccessCheck): each verb on each
 * resource. Gives those that the API server allows, as `verb resource`.
 */
export const accessChecked = async (source: ApiServerSource, api: PlainApi): Promise<readonly string[]> => {
  const { namespace = "" } = source.metadata;
  const user = `system:serviceaccount:${namespace}:${source.spec.serviceAccountName}`;
  const asked = resourcesOf(source).flatMap(({ group, plural }) =>
    ["get", "list", "watch"].map(async (verb) => {
      const resourceAttributes = { namespace: "", verb, group, resource: plural };
      const answer = await api.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: { user, resourceAttributes },
      });
      return JSON.stringify(answer).includes('"allowed":true') ? [`${verb} ${plural}`] : [];
    }),
  );
  return (await Promise.all(asked)).flat();
};

/** What the adapter then does (pkg/adapter/apiserver): one list and one watch of each resource in all namespaces. Gives the statuses. */
export const adapterAsks = async (
  source: ApiServerSource,
  kubeconfig: string,
): Promise<readonly number[]> => {
  const access = await readAccess({ KUBECONFIG: kubeconfig })();
  const { send, close } = sender(access.target, 4);
  const selector = `labelSelector=${encodeURIComponent("sampledb.dev/database")}`;
  const asked = resourcesOf(source).flatMap(({ path }) =>
    [
      `${path}?limit=500&resourceVersion=0&${selector}`,
      `${path}?watch=true&timeoutSeconds=1&${selector}`,
    ].map(async (url) => {
      const { status } = await send({
        method: "GET",
        path: url,
        headers: access.headers,
        signal: AbortSignal.timeout(120_000),
      });
      return status;
    }),
  );
  return Promise.all(asked).finally(close);
};
