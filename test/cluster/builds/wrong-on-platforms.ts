import type { Row } from "./wrong-row.ts";

const KNATIVE = "Knative";
const INSIDE = "Knative + internal-ingress";
const OPENFAAS = "OpenFaaS";

/** What may go wrong on Knative and OpenFaaS. */
export const WRONG_ON_PLATFORMS: readonly Row[] = [
  [
    OPENFAAS,
    "Deployment sampledb-reconcile",
    ['"allowPrivilegeEscalation":false,', ""],
    "security",
    /^Deployment openfaas-fn\/sampledb-reconcile: .*allowPrivilegeEscalation/u,
  ],
  [
    KNATIVE,
    "Service reconcile",
    ['"cpu":"1",', ""],
    "resources",
    /^Service .*\/reconcile: .*resources\.limits\.cpu is missing$/u,
  ],
  [
    OPENFAAS,
    "CronJob resync",
    ['"secretName":"sampledb-caller"', '"secretName":"caller"'],
    "references",
    /nobody makes the Secret caller$/u,
  ],
  [
    OPENFAAS,
    "Service sampledb-webhook",
    ["8443", "8444"],
    "selectors",
    /^Service .*\/sampledb-webhook: spec\.ports: targetPort 8444/u,
  ],
  [
    OPENFAAS,
    "Deployment source",
    ["/function/sampledb-reconcile", "/function/reconcile"],
    "addresses",
    /env\.SINK: .*there is no function of OpenFaaS/u,
  ],
  [
    KNATIVE,
    "PingSource sampledb-resync",
    ['"name":"resync"', '"name":"sweep"'],
    "addresses",
    /^PingSource .*\/sampledb-resync: spec\.sink\.ref: Service sweep/u,
  ],
  [
    KNATIVE,
    "ApiServerSource sampledb-objects",
    undefined,
    "rights",
    /^ServiceAccount .*\/knative-objects: may list apps\/statefulsets/u,
  ],
  [
    KNATIVE,
    "Service certify",
    ["sampledb-admission", "admission"],
    "addresses",
    /^Service .*\/certify: .*there is no Service kourier-system\/admission$/u,
  ],
  [
    KNATIVE,
    "ClusterDomainClaim sampledb-admission.kourier-system.svc",
    ['"namespace":"sampledb-system"', '"namespace":"shop"'],
    "certificates",
    /^DomainMapping .*ClusterDomainClaim's spec\.namespace/u,
  ],
  [
    INSIDE,
    "Ingress sampledb-admission",
    ["ClusterLocal", "ExternalIP"],
    "certificates",
    /^Ingress .*visibility is not ClusterLocal$/u,
  ],
  [
    KNATIVE,
    "ClusterRole sampledb-knative-references",
    ['"secrets"', '"secrets","pods"'],
    "rights",
    /knative-references: may get \/pods \(everywhere\), for nothing$/u,
  ],
  [
    KNATIVE,
    "NetworkPolicy sampledb-knative",
    ["8012", "8013"],
    "network",
    /^Service .*: port queue-port 8012: .* keep out activator/u,
  ],
  [
    OPENFAAS,
    "NetworkPolicy sampledb-events",
    ['"app":"gateway"', '"app":"cron-connector"'],
    "network",
    /^Deployment .*\/sampledb-reconcile: port http 8080: .* keep out openFaas/u,
  ],
];
