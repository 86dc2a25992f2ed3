/**
 * What a user's kustomization may build on, and the components that may stand beside it. Every kustomization.yaml below manifests/ must be part of
 * one of these: a new component is one more path here.
 */
export type Family = {
  readonly name: string;
  /** Folders of manifests/ that move to the namespace of one's own, where one has one. */
  readonly resources: readonly string[];
  /** Folders that stay where they are. */
  readonly stay?: readonly string[];
  /** The one folder that is both, where there is one: what a user lists who wants no other namespace. */
  readonly whole?: string;
  /** Folders that may be listed on top, in this order, each with any of the others. */
  readonly components?: readonly string[];
  /** Those of them that change what stays where it is. */
  readonly beside?: readonly string[];
  /** Pairs of components that exclude each other. */
  readonly never?: readonly (readonly [string, string])[];
  readonly namespace: string;
  /** Files for faas-cli beside it, in manifests/overlays/openfaas. */
  readonly stacks?: readonly string[];
};

const SYSTEM = "sampledb-system";
const PROTECTED = "components/protected-namespaces";
const KNATIVE = "overlays/knative/components";
const BROKER = `${KNATIVE}/broker`;
const KAFKA = `${KNATIVE}/kafka-broker`;
const OIDC = `${KNATIVE}/oidc`;
const NAMED = "components/release/named";
const UNNAMED = "components/release/unnamed";
const RELEASES: readonly (readonly [string, string])[] = [[NAMED, UNNAMED]];
/** A Broker is for each function alone, tokens are for the group; and there is one. */
const KNATIVE_NEVER: Family["never"] = [[OIDC, BROKER], [OIDC, KAFKA], [BROKER, KAFKA], ...RELEASES];

export const FAMILIES: readonly Family[] = [
  { name: "the CRD", resources: ["crds"], namespace: SYSTEM },
  {
    name: "plain Kubernetes",
    resources: ["overlays/kubernetes"],
    components: [
      "components/each-function",
      "components/cert-manager",
      "components/event-identity",
      PROTECTED,
    ],
    namespace: SYSTEM,
  },
  {
    name: "Knative",
    resources: ["overlays/knative/functions"],
    stay: ["overlays/knative/gateway"],
    whole: "overlays/knative",
    components: [
      `${KNATIVE}/container-source`,
      `${KNATIVE}/snapshots`,
      `${KNATIVE}/internal-ingress`,
      `${KNATIVE}/cert-manager`,
      OIDC,
      BROKER,
      KAFKA,
      PROTECTED,
      UNNAMED,
    ],
    never: KNATIVE_NEVER,
    beside: [`${KNATIVE}/internal-ingress`],
    namespace: SYSTEM,
  },
  {
    name: "Knative with its own TLS",
    resources: ["overlays/knative/own-tls"],
    components: [
      `${KNATIVE}/container-source`,
      `${KNATIVE}/snapshots`,
      "components/cert-manager",
      OIDC,
      BROKER,
      KAFKA,
      PROTECTED,
      NAMED,
      UNNAMED,
    ],
    never: KNATIVE_NEVER,
    namespace: SYSTEM,
  },
  {
    name: "OpenFaaS",
    resources: ["overlays/openfaas"],
    components: [PROTECTED],
    namespace: "openfaas-fn",
    stacks: ["stack.yaml"],
  },
  {
    name: "OpenFaaS with cron-connector",
    resources: ["overlays/openfaas"],
    namespace: "openfaas-fn",
    stacks: ["stack.yaml", "stack-cron-connector.yaml"],
  },
  {
    name: "OpenFaaS with the kind Function",
    resources: ["overlays/openfaas", "overlays/openfaas/functions"],
    namespace: "openfaas-fn",
  },
];

/** Every folder that a family names. */
export const foldersOf = ({ resources, stay = [], whole, components = [] }: Family): readonly string[] => [
  ...resources,
  ...stay,
  ...(whole === undefined ? [] : [whole]),
  ...components,
];
