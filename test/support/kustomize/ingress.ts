import type { KubeObject } from "../../../deploy/shared/rendered.ts";

type Labels = Readonly<Record<string, string>>;
/** A label selector of Kubernetes. */
export type Selector = {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
    readonly values?: readonly string[];
  }[];
};
type Peer = { readonly podSelector?: Selector; readonly namespaceSelector?: Selector };
type Rule = {
  readonly from?: readonly Peer[];
  readonly ports?: readonly { readonly port?: string | number; readonly protocol?: string }[];
};
type PolicySpec = {
  readonly podSelector: Selector;
  readonly policyTypes?: readonly string[];
  readonly ingress?: readonly Rule[];
};

/** A pod as far as network policies look at it. */
export type NetworkPod = {
  readonly namespace: string;
  readonly labels: Labels;
  /** Of its namespace. */
  readonly namespaceLabels: Labels;
};
/** A TCP port of a container; `name` undefined where it has none. */
export type Port = { readonly name: string | undefined; readonly number: number };

type Expression = NonNullable<Selector["matchExpressions"]>[number];

const holds = ({ key, operator, values = [] }: Expression, labels: Labels): boolean => {
  const value = labels[key];
  const isIn = value !== undefined && values.includes(value);
  return { In: isIn, NotIn: !isIn, Exists: value !== undefined, DoesNotExist: value === undefined }[operator];
};

/** Whether a selector selects what has these labels; an empty one selects everything. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((expression) => holds(expression, labels));

/** A peer that is no pod (the API server, a node, the world outside) is in no selector. */
const isPeer = (peer: Peer, from: NetworkPod | undefined, namespace: string): boolean => {
  if (from === undefined) return false;
  const isThere =
    peer.namespaceSelector === undefined
      ? from.namespace === namespace
      : selects(peer.namespaceSelector, from.namespaceLabels);
  return isThere && selects(peer.podSelector ?? {}, from.labels);
};

const allows = (rule: Rule, from: NetworkPod | undefined, { name, number }: Port, namespace: string) =>
  (rule.from?.some((peer) => isPeer(peer, from, namespace)) ?? true) &&
  (rule.ports?.some(
    ({ port, protocol = "TCP" }) =>
      protocol === "TCP" && (port === undefined || port === name || port === number),
  ) ??
    true);

const specs = new WeakMap<KubeObject, PolicySpec>();
const specOf = (policy: KubeObject): PolicySpec => {
  const spec: PolicySpec = specs.get(policy) ?? JSON.parse(JSON.stringify(policy["spec"]));
  specs.set(policy, spec);
  return spec;
};

/**
 * The rules of NetworkPolicy (networking.k8s.io/v1): whether `from` (undefined: something that is no pod) may connect to `port` of `to`.
 * A pod that no policy selects is open to all.
 */
export const mayConnect = (
  objects: readonly KubeObject[],
  from: NetworkPod | undefined,
  to: NetworkPod,
  port: Port,
): boolean => {
  const concerned = objects
    .filter(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.namespace === to.namespace)
    .map(specOf)
    .filter(({ podSelector, policyTypes = ["Ingress"] }) => {
      return policyTypes.includes("Ingress") && selects(podSelector, to.labels);
    });
  return (
    concerned.length === 0 ||
    concerned.some(({ ingress = [] }) => ingress.some((rule) => allows(rule, from, port, to.namespace)))
  );
};
