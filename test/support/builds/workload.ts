import type { KubeObject } from "../../../deploy/shared/rendered.ts";

export type Labels = Readonly<Record<string, string>>;
type Amounts = { readonly cpu?: string; readonly memory?: string };
type Probe = {
  readonly httpGet?: { readonly path: string; readonly port?: string | number; readonly scheme?: string };
};
type SecurityContext = {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  readonly seccompProfile?: { readonly type: string };
};
type Env = { readonly name: string; readonly value?: string };
export type Container = {
  readonly name: string;
  readonly image?: string;
  readonly args?: readonly string[];
  readonly env?: readonly Env[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
  readonly securityContext?: SecurityContext;
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
};
type Items = readonly { readonly key: string; readonly path: string }[];
export type Volume = {
  readonly name: string;
  readonly configMap?: { readonly name: string; readonly items?: Items };
  readonly secret?: { readonly secretName: string; readonly items?: Items };
  readonly projected?: {
    readonly sources: readonly {
      readonly secret?: { readonly name: string; readonly items?: Items };
      readonly configMap?: { readonly name: string; readonly items?: Items };
    }[];
  };
};
type PodSpec = {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly securityContext?: SecurityContext;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
};

/** Who makes the pods. */
type Maker = "Kubernetes" | "Knative" | "OpenFaaS";
/** Something of ours that pods are made of. */
export type Workload = {
  /** `Kind namespace/name`, for messages. */
  readonly what: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly maker: Maker;
  /** Where the pod stands in the object, e.g. `spec.template`. */
  readonly path: string;
  readonly labels: Labels;
  readonly pod: PodSpec;
  /** The function that it runs, as its label says. */
  readonly fn: string;
};

/** `Kind namespace/name`, for messages. */
export const whatIs = ({ kind, metadata: { name, namespace } }: KubeObject): string =>
  `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;

type Template = { readonly metadata?: { readonly labels?: Labels }; readonly spec: PodSpec };
type Spec = {
  readonly template?: Template;
  readonly jobTemplate?: { readonly spec: { readonly template: Template } };
};

/** Of these kinds pods are made; `kind` alone, or with its group where core has the same name. */
const KINDS = new Set(["Deployment", "Job", "CronJob", "ContainerSource", "serving.knative.dev/v1 Service"]);

const isWorkload = ({ apiVersion, kind }: KubeObject): boolean =>
  KINDS.has(kind) || KINDS.has(`${apiVersion} ${kind}`);

const workloadOf = (object: KubeObject, maker: Maker): Workload => {
  const { spec }: { readonly spec: Spec } = JSON.parse(JSON.stringify(object));
  const template = spec.template ?? spec.jobTemplate?.spec.template;
  if (template === undefined) throw new Error(`${whatIs(object)} has no template of a pod`);
  const labels = template.metadata?.labels ?? {};
  return {
    what: whatIs(object),
    kind: object.kind,
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? "",
    maker,
    path: spec.template === undefined ? "spec.jobTemplate.spec.template" : "spec.template",
    labels,
    pod: template.spec,
    fn: labels["app.kubernetes.io/component"] ?? "",
  };
};

const isKnativeService = ({ apiVersion }: KubeObject): boolean =>
  apiVersion.startsWith("serving.knative.dev/");

/** What pods are made of: of our own objects, or of those that OpenFaaS makes. */
export const workloadsIn = (objects: readonly KubeObject[], isMadeByOpenFaaS = false): readonly Workload[] =>
  objects
    .filter((object) => isWorkload(object))
    .map((object) => {
      const own = isKnativeService(object) ? "Knative" : "Kubernetes";
      return workloadOf(object, isMadeByOpenFaaS ? "OpenFaaS" : own);
    });

/** Every container with the path to it. */
export const containersOf = ({ path, pod }: Workload): readonly (readonly [string, Container])[] => [
  ...pod.containers.map((each, nth) => [`${path}.spec.containers[${nth}]`, each] as const),
  ...(pod.initContainers ?? []).map((each, nth) => [`${path}.spec.initContainers[${nth}]`, each] as const),
];
