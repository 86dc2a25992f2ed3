import type { NetworkPod, Port } from "../kustomize/ingress.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { fieldsOf } from "./build.ts";
import type { Build } from "./build.ts";
import { PLATFORM } from "./platform-pods.ts";
import type { Labels, Workload } from "./workload.ts";

type ServicePort = { readonly name?: string; readonly port: number; readonly targetPort?: string | number };
type ServiceSpec = { readonly selector?: Labels; readonly ports?: readonly ServicePort[] };

/** Where an address leads: to pods of ours at a port, and who passes it on, where it does not come straight from who asks. */
export type Place = {
  readonly through: "Service" | "Knative" | "OpenFaaS" | "platform";
  readonly workloads: readonly Workload[];
  readonly port: string | number;
};

/** What is wrong with an address. */
export class Nowhere extends Error {}

/** What `act` gives; undefined where it throws Nowhere. */
export const unlessNowhere = <T>(act: () => T): T | undefined => {
  try {
    return act();
  } catch (error) {
    if (error instanceof Nowhere) return undefined;
    throw error;
  }
};

const selectsLabels = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

/** A pod as network policies see it. Knative adds the name of its Service. */
export const networkPod = ({ namespace, labels, maker, name }: Workload): NetworkPod => ({
  namespace,
  labels: { ...labels, ...(maker === "Knative" && { "serving.knative.dev/service": name }) },
  namespaceLabels: { "kubernetes.io/metadata.name": namespace },
});

/** Of Knative's queue-proxy, which stands before the function; Knative names the function's own port itself. */
const KNATIVE_PORTS: readonly Port[] = [
  { name: "user-port", number: 8080 },
  { name: "queue-port", number: 8012 },
  { name: "https-port", number: 8112 },
  { name: "http-autometric", number: 9090 },
  { name: "http-usermetric", number: 9091 },
  { name: "http-queueadm", number: 8022 },
];

/** Every port that a pod declares. */
export const portsOf = ({ maker, pod }: Workload): readonly Port[] =>
  maker === "Knative"
    ? KNATIVE_PORTS
    : pod.containers.flatMap(({ ports = [] }) =>
        ports.map(({ name, containerPort }) => ({ name, number: containerPort })),
      );

const isCore = ({ apiVersion, kind }: KubeObject): boolean => apiVersion === "v1" && kind === "Service";

/** Core Services, ours and those that OpenFaaS makes. */
export const coreServices = ({ objects, made }: Build): readonly KubeObject[] =>
  [...objects, ...made].filter((object) => isCore(object));

/** Whom a core Service selects: pods of ours, and whether pods of a platform. */
export const selectedBy = (build: Build, service: KubeObject) => {
  const { spec }: { spec: ServiceSpec } = fieldsOf(service);
  const { selector = {} } = spec;
  const namespace = service.metadata.namespace ?? "";
  const workloads = build.workloads.filter(
    (workload) => workload.namespace === namespace && selectsLabels(selector, workload.labels),
  );
  const isPlatform = Object.values(PLATFORM).some(
    (pod) => pod.namespace === namespace && selectsLabels(selector, pod.labels),
  );
  return { workloads, isPlatform, selector };
};

/** Where a core Service leads that is asked at `port`. */
const placeOfService = (build: Build, service: KubeObject, port: number): Place => {
  const { spec }: { spec: ServiceSpec } = fieldsOf(service);
  const { ports = [] } = spec;
  const found = ports.find((each) => each.port === port);
  if (found === undefined) throw new Nowhere(`the Service ${service.metadata.name} has no port ${port}`);
  const { workloads, isPlatform } = selectedBy(build, service);
  if (workloads.length === 0 && !isPlatform)
    throw new Nowhere(`the Service ${service.metadata.name} selects no pod`);
  return { through: isPlatform ? "platform" : "Service", workloads, port: found.targetPort ?? port };
};

const placeOfKnative = (build: Build, name: string, namespace: string): Place | undefined => {
  const workloads = build.workloads.filter(
    (each) => each.maker === "Knative" && each.name === name && each.namespace === namespace,
  );
  return workloads.length === 0 ? undefined : { through: "Knative", workloads, port: 8012 };
};

const placeOfFunction = (build: Build, path: string): Place => {
  const name = /^\/function\/(?<name>[^/.]+)/u.exec(path)?.groups?.["name"];
  const workloads = build.workloads.filter((each) => each.maker === "OpenFaaS" && each.name === name);
  if (workloads.length === 0) throw new Nowhere(`there is no function of OpenFaaS at ${path}`);
  return { through: "OpenFaaS", workloads, port: 8080 };
};

/** Where a Service's name leads: `shop`, `shop.namespace` or longer. Throws Nowhere. */
export const placeOfName = (build: Build, host: string, port: number, from: string): Place => {
  const [name = "", namespace = from] = host.split(".");
  const service = coreServices(build).find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  );
  if (service !== undefined) return placeOfService(build, service, port);
  const knative = placeOfKnative(build, name, namespace);
  if (knative === undefined) throw new Nowhere(`there is no Service ${namespace}/${name}`);
  // The gateway tells Services apart by a name that has the namespace.
  if (!host.includes(".")) throw new Nowhere(`Knative's gateway does not know ${host} without its namespace`);
  if (port !== 80) throw new Nowhere(`a Knative Service is asked at port 80, not ${port}`);
  return knative;
};

/** Where a URL leads, asked from a pod in the namespace `from`. Throws Nowhere. */
export const placeOfUrl = (build: Build, text: string, from: string): Place => {
  const url = new URL(text);
  const gateway = PLATFORM.openFaas.namespace;
  if (url.host === `gateway.${gateway}:8080`) return placeOfFunction(build, url.pathname);
  return placeOfName(build, url.hostname, Number(url.port === "" ? 80 : url.port), from);
};
