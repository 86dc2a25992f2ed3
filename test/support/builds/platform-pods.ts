import type { NetworkPod } from "../kustomize/ingress.ts";
import type { Labels } from "./workload.ts";

const podOf = (namespace: string, labels: Labels, more: Labels = {}): NetworkPod => ({
  namespace,
  labels,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace, ...more },
});

/** Pods of the platforms that reach ours, or that a Service of ours selects: names, labels and ports as their releases have them. */
export const PLATFORM: Readonly<Record<"activator" | "autoscaler" | "kourier" | "openFaas", NetworkPod>> = {
  activator: podOf("knative-serving", { app: "activator" }),
  autoscaler: podOf("knative-serving", { app: "autoscaler" }),
  kourier: podOf("kourier-system", { app: "3scale-kourier-gateway" }),
  openFaas: podOf("openfaas", { app: "gateway" }),
};

/** Of namespaces that are allowed to. */
export const METRICS = podOf("monitoring", {}, { "sampledb.dev/metrics": "true" });

/** Who is never to reach anything but admission, in a cluster where the functions are in `system`. */
export const strangers = (system: string): Readonly<Record<string, NetworkPod>> => ({
  "a neighbour": podOf(system, {}),
  "an application": podOf("shop", {}),
  // Labels are anybody's in a namespace of their own.
  "a source elsewhere": podOf("shop", {
    "app.kubernetes.io/name": "sampledb",
    "app.kubernetes.io/part-of": "sampledb",
    "app.kubernetes.io/component": "source",
  }),
  "an activator elsewhere": podOf("shop", { app: "activator" }),
  "a gateway elsewhere": podOf("shop", { app: "gateway" }),
  "another function": podOf(system, { faas_function: "figlet" }),
  "Knative's adapter": podOf(system, { "eventing.knative.dev/source": "apiserver-source-controller" }),
  "Knative's controller": podOf("knative-serving", { app: "controller" }),
  "a dispatcher": podOf("knative-eventing", { "eventing.knative.dev/brokerRole": "filter" }),
  "cron-connector": podOf("openfaas", { app: "cron-connector" }),
});
