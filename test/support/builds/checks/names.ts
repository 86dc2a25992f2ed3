import type { Build, Check } from "../build.ts";
import { FAMILIES } from "../families.ts";
import { PLATFORM } from "../platform-pods.ts";
import { whatIs } from "../workload.ts";

/** Kinds that the other checks know what to make of, where the name alone does not say it with their group. */
const KINDS = new Set([
  "v1 ConfigMap",
  "v1 Namespace",
  "v1 Service",
  "v1 ServiceAccount",
  "apps/v1 Deployment",
  "batch/v1 CronJob",
  "batch/v1 Job",
  "policy/v1 PodDisruptionBudget",
  "networking.k8s.io/v1 NetworkPolicy",
  "rbac.authorization.k8s.io/v1 ClusterRole",
  "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
  "rbac.authorization.k8s.io/v1 Role",
  "rbac.authorization.k8s.io/v1 RoleBinding",
  "admissionregistration.k8s.io/v1 MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy",
  "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/v1 CustomResourceDefinition",
  "cert-manager.io/v1 Certificate",
  "cert-manager.io/v1 Issuer",
  "eventing.knative.dev/v1 Broker",
  "eventing.knative.dev/v1 Trigger",
  "networking.internal.knative.dev/v1alpha1 ClusterDomainClaim",
  "eventing.knative.dev/v1 Broker",
  "eventing.knative.dev/v1 Trigger",
  "networking.internal.knative.dev/v1alpha1 Ingress",
  "openfaas.com/v1 Function",
  "serving.knative.dev/v1 Service",
  "serving.knative.dev/v1beta1 DomainMapping",
  "sources.knative.dev/v1 ApiServerSource",
  "sources.knative.dev/v1 ContainerSource",
  "sources.knative.dev/v1 PingSource",
]);

/** Namespaces that a user who says another one does not have. */
const othersThan = ({ namespace }: Build): readonly string[] =>
  [...new Set(FAMILIES.map((family) => family.namespace))].filter((other) => other !== namespace);

const ofObject = (build: Build, object: Build["objects"][number]): readonly string[] => {
  const { namespace } = object.metadata;
  const isInPlace =
    namespace === undefined ||
    namespace === build.namespace ||
    (object.kind === "Service" && namespace === PLATFORM.kourier.namespace);
  const text = JSON.stringify(object);
  return [
    ...(KINDS.has(`${object.apiVersion} ${object.kind}`)
      ? []
      : [`${whatIs(object)}: no check knows what to make of ${object.apiVersion} ${object.kind}`]),
    ...(isInPlace ? [] : [`${whatIs(object)}: metadata.namespace: not ${build.namespace}`]),
    ...(/\$\([A-Z]+_NAMESPACE\)/u.exec(text.replaceAll("$(POD_NAMESPACE)", "")) === null
      ? []
      : [`${whatIs(object)}: a variable of kustomize's is left in it`]),
    ...othersThan(build)
      .filter((other) => text.includes(other))
      .map((other) => `${whatIs(object)}: names ${other}, and is for ${build.namespace}`),
  ];
};

/** Everything is of a kind that is judged, in the namespace that the user named, and names no other. */
export const names: Check = (build) => build.objects.flatMap((object) => ofObject(build, object));
