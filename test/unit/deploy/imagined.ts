import type { Case } from "../../../deploy/install/judge.ts";
import type { Seen } from "../../../deploy/prerequisites/seen.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { servedKindsIn } from "../../../deploy/shared/served-kinds.ts";

export const OURS = { "app.kubernetes.io/part-of": "sampledb" };
export const RESOURCES = `
namespaces                     ns           v1                                    false        Namespace
serviceaccounts                sa           v1                                    true         ServiceAccount
deployments                    deploy       apps/v1                               true         Deployment
clusterrolebindings                         rbac.authorization.k8s.io/v1          false        ClusterRoleBinding
services                       kservice     serving.knative.dev/v1                true         Service
domainmappings                 dm           serving.knative.dev/v1                true         DomainMapping
`;

export const object = (
  apiVersion: string,
  kind: string,
  [name, namespace]: readonly [string, string?],
  more: Readonly<Record<string, unknown>> = {},
): KubeObject => ({
  apiVersion,
  kind,
  ...more,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...Object(more["metadata"]) },
});

export const deployment = (namespace: string, name: string, ready: number, labels: object = {}): KubeObject =>
  object("apps/v1", "Deployment", [name, namespace], {
    metadata: { labels },
    status: ready === 0 ? {} : { readyReplicas: ready },
  });
export const configMap = (name: string, namespace: string, data: object): KubeObject =>
  object("v1", "ConfigMap", [name, namespace], { data });
export const binding = (name: string, namespace: string): KubeObject =>
  object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", [name], {
    metadata: { labels: OURS },
    subjects: [{ kind: "ServiceAccount", name: "certify", namespace }],
  });
const storageClass = object("storage.k8s.io/v1", "StorageClass", ["fast"], {
  metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
});

export const knative = [
  deployment("kourier-system", "3scale-kourier-gateway", 2),
  ...["controller", "webhook", "activator", "autoscaler"].map((name) =>
    deployment("knative-serving", name, 1),
  ),
  ...["eventing-controller", "eventing-webhook"].map((name) => deployment("knative-eventing", name, 1)),
  configMap("config-network", "knative-serving", {
    "ingress-class": "kourier.ingress.networking.knative.dev",
  }),
];

export const gateway = (env: Readonly<Record<string, string>>): KubeObject => ({
  ...deployment("openfaas", "gateway", 1),
  spec: {
    template: {
      spec: { containers: [{ env: Object.entries(env).map(([name, value]) => ({ name, value })) }] },
    },
  },
});
export const service = (name: string, type: string): KubeObject =>
  object("v1", "Service", [name, "openfaas"], { spec: { type } });
export const openFaas = [
  gateway({ function_namespace: "openfaas-fn", upstream_timeout: "50s" }),
  service("gateway", "ClusterIP"),
  object("v1", "Namespace", ["openfaas-fn"]),
];

export const seenOf = (objects: readonly KubeObject[], more: Partial<Seen> = {}): Seen => ({
  clientVersion: "v1.34.0",
  serverVersion: "v1.34.4",
  kinds: servedKindsIn(RESOURCES),
  objects: [storageClass, ...objects],
  faasCli: { version: "0.17.0", functions: [], complaint: "" },
  ...more,
});

export const caseOf = (platform: Case["platform"], seen: Seen, more: Partial<Case> = {}): Case => ({
  platform,
  namespace: platform === "openfaas" ? "openfaas-fn" : "sampledb-system",
  rendered:
    platform === "knative"
      ? [object("serving.knative.dev/v1", "DomainMapping", ["a", "sampledb-system"])]
      : [],
  seen,
  refused: [],
  refusal: undefined,
  mayBeOlder: false,
  ...more,
});
