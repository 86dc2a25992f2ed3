import { textAt } from "../shared/rendered.ts";
import { notRunning, readyOf } from "./deployments.ts";
import { type Finding, missing, warning } from "./finding.ts";
import { objectSeen, type Seen } from "./seen.ts";

const KOURIER = "kourier.ingress.networking.knative.dev";
const GATEWAY = "3scale-kourier-gateway";

const PARTS: readonly (readonly [string, string, readonly string[]])[] = [
  ["Knative Serving at work", "knative-serving", ["controller", "webhook", "activator", "autoscaler"]],
  ["Knative Eventing at work", "knative-eventing", ["eventing-controller", "eventing-webhook"]],
];

const partFindings = (seen: Seen): readonly Finding[] =>
  PARTS.flatMap(([needed, namespace, names]) => {
    const faults = notRunning(seen, namespace, names);
    if (faults.length === 0) return [];
    const look = `look there: kubectl get pods -n ${namespace}`;
    return [missing(needed, faults.join("; "), `${look} (not installed: https://knative.dev/docs/install)`)];
  });

const ingressFindings = (seen: Seen): readonly Finding[] => {
  const config = objectSeen(seen, "ConfigMap", "config-network", "knative-serving");
  const ingress = textAt(config, "data", "ingress-class") || textAt(config, "data", "ingress.class");
  if (ingress === KOURIER) return [];
  const seenWhat =
    config === undefined
      ? "there is no ConfigMap knative-serving/config-network"
      : ingress === ""
        ? "it names none, which means Istio"
        : ingress;
  return [
    missing(
      "Kourier as Knative's ingress (ingress-class in the ConfigMap config-network)",
      seenWhat,
      `kubectl patch configmap/config-network -n knative-serving --type=merge -p '{"data":{"ingress-class":"${KOURIER}"}}', or --component own-tls, which calls admission past the ingress`,
    ),
  ];
};

const gatewayFindings = (seen: Seen): readonly Finding[] => {
  const ready = readyOf(seen, "kourier-system", GATEWAY);
  const needed = `two ready pods of Kourier's gateway`;
  // Kourier's own autoscaler would undo a scaled Deployment.
  const more = `kubectl patch hpa/${GATEWAY} -n kourier-system --type=merge -p '{"spec":{"minReplicas":2}}'`;
  if (ready === undefined)
    return [
      missing(
        needed,
        `there is no Deployment kourier-system/${GATEWAY}`,
        "install Kourier: https://knative.dev/docs/install",
      ),
    ];
  if (ready === 0)
    return [missing(needed, "none is ready", "look there: kubectl get pods -n kourier-system")];
  return ready === 1
    ? [warning(needed, "one: while it ends, no SampleDB can be created or changed", more)]
    : [];
};

/** What SampleDB needs of Knative. With its own TLS, admission does not go through the gateway. */
export const knativeFindings = (
  seen: Seen,
  { hasOwnTls }: { readonly hasOwnTls: boolean },
): readonly Finding[] => [
  ...partFindings(seen),
  ...(hasOwnTls ? [] : [...ingressFindings(seen), ...gatewayFindings(seen)]),
];
