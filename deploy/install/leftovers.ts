import type { Kubectl } from "../shared/kubectl.ts";
import { itemsIn, type KubeObject } from "../shared/rendered.ts";
import { groupOf, isServed, type ServedKind } from "../shared/served-kinds.ts";

/** Kinds that overlays and components put into the functions' namespace. Secrets and Jobs are not among them: functions make these. */
const RESOURCES = [
  "deployments.apps",
  "cronjobs.batch",
  "services",
  "serviceaccounts",
  "configmaps",
  "poddisruptionbudgets.policy",
  "networkpolicies.networking.k8s.io",
  "roles.rbac.authorization.k8s.io",
  "rolebindings.rbac.authorization.k8s.io",
  "services.serving.knative.dev",
  "domainmappings.serving.knative.dev",
  "apiserversources.sources.knative.dev",
  "pingsources.sources.knative.dev",
  "containersources.sources.knative.dev",
  "brokers.eventing.knative.dev",
  "triggers.eventing.knative.dev",
  "certificates.cert-manager.io",
  "issuers.cert-manager.io",
];

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const keyOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${groupOf(apiVersion)} ${kind} ${metadata.name}`;

/** Those that kubectl applied, that nobody else owns, and that are not rendered any more: of a component that was left out, say. */
export const leftoversIn = (
  present: readonly KubeObject[],
  rendered: readonly KubeObject[],
): readonly KubeObject[] => {
  const kept = new Set(rendered.map((object) => keyOf(object)));
  return present.filter(
    (object) =>
      !kept.has(keyOf(object)) &&
      (object.metadata.ownerReferences ?? []).length === 0 &&
      object.metadata.annotations?.[LAST_APPLIED] !== undefined,
  );
};

/** The objects of ours in a namespace. */
export const ourObjects = async (
  kubectl: Kubectl,
  kinds: readonly ServedKind[],
  namespace: string,
): Promise<readonly KubeObject[]> => {
  const resources = RESOURCES.filter((resource) => isServed(kinds, resource)).join(",");
  return itemsIn(
    await kubectl([
      "get",
      resources,
      "-n",
      namespace,
      "-l",
      "app.kubernetes.io/part-of=sampledb",
      "-o",
      "json",
    ]),
  );
};
