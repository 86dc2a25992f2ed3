import type { KubeObject } from "../../../deploy/shared/rendered.ts";

/** What runs while nothing happens. */
export type AtRest = {
  /** Our pods by function: how many. */
  readonly pods: ReadonlyMap<string, number>;
  /** Sums over them of what their containers reserve. */
  readonly memoryMi: number;
  readonly cpuMillis: number;
  /** Pods that the platform runs for us alone. */
  readonly adapters: number;
};

type Container = {
  readonly resources: { readonly requests: { readonly cpu: string; readonly memory: string } };
};
type Spec = {
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requests?: { readonly cpu: string; readonly memory: string };
  readonly template?: {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly containers: readonly Container[] };
  };
};
const amount = (text: string, unit: RegExp): number => {
  const found = unit.exec(text)?.[1];
  if (found === undefined) throw new Error(`${text} is in another unit than ${unit.source}`);
  return Number(found);
};

const replicasOf = ({ apiVersion, kind, metadata }: KubeObject, spec: Spec): number => {
  if (kind === "Deployment") return spec.replicas ?? 1;
  if (kind === "Function") return Number(spec.labels?.["com.openfaas.scale.min"]);
  if (kind === "Service" && apiVersion.startsWith("serving.knative.dev/"))
    return Number(spec.template?.metadata.annotations?.["autoscaling.knative.dev/min-scale"] ?? 0);
  throw new Error(`${kind} ${metadata.name} runs nothing`);
};

/** For each of these Knative runs a pod. */
const ADAPTED = new Set(["ApiServerSource", "ContainerSource"]);

const RUNS = new Set(["Deployment", "Function", "Service"]);

const runs = ({ apiVersion, kind }: KubeObject): boolean => RUNS.has(kind) && apiVersion !== "v1";

type Workload = {
  readonly name: string;
  readonly replicas: number;
  readonly memoryMi: number;
  readonly cpuMillis: number;
};

const workload = (object: KubeObject): Workload => {
  // The shapes are those of the kinds.
  const spec: Spec = JSON.parse(JSON.stringify(object["spec"]));
  const requests = spec.requests ?? spec.template?.spec.containers[0]?.resources.requests;
  return {
    name: object.metadata.name.replace(/^sampledb-/u, ""),
    replicas: replicasOf(object, spec),
    memoryMi: amount(requests?.memory ?? "", /^(\d+)Mi$/u),
    cpuMillis: amount(requests?.cpu ?? "", /^(\d+)m$/u),
  };
};

/** What of an overlay's objects runs all the time. CronJobs and Jobs come and go. */
export const atRest = (objects: readonly KubeObject[]): AtRest => {
  const resident = objects
    .filter(runs)
    .map(workload)
    .filter(({ replicas }) => replicas > 0);
  const sum = (of: (each: Workload) => number): number =>
    resident.reduce((total, each) => total + each.replicas * of(each), 0);
  return {
    pods: new Map(resident.map(({ name, replicas }) => [name, replicas])),
    memoryMi: sum(({ memoryMi }) => memoryMi),
    cpuMillis: sum(({ cpuMillis }) => cpuMillis),
    adapters: objects.filter(({ kind }) => ADAPTED.has(kind)).length,
  };
};
