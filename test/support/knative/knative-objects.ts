import type { KubeObject } from "../../../deploy/shared/rendered.ts";

type Env = { readonly name: string; readonly value?: string; readonly valueFrom?: object };

/** A container of a Knative Service, as far as tests look at it. */
export type KnativeContainer = {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly Env[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly object[];
};
export type KnativeService = {
  readonly metadata: KubeObject["metadata"];
  readonly spec: {
    readonly template: {
      readonly metadata: {
        readonly labels: Readonly<Record<string, string>>;
        readonly annotations: Readonly<Record<string, string>>;
      };
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: readonly KnativeContainer[];
        readonly volumes?: readonly { readonly configMap?: { readonly name: string } }[];
      };
    };
  };
};
type Destination = {
  readonly ref: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly audience?: string;
};
export type ApiServerSource = {
  readonly metadata: KubeObject["metadata"];
  readonly spec: {
    readonly serviceAccountName: string;
    readonly mode: "Resource" | "Reference";
    readonly resources: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly selector?: object;
    }[];
    readonly sink: Destination;
  };
};
/** Its template is that of a Deployment, which has all that tests look at in a Knative Service's. */
export type ContainerSource = {
  readonly metadata: KubeObject["metadata"];
  readonly spec: KnativeService["spec"] & { readonly sink: Destination };
};
type PingSource = {
  readonly metadata: KubeObject["metadata"];
  readonly spec: { readonly sink: Destination };
};

const serving = ({ apiVersion, kind }: KubeObject): boolean =>
  kind === "Service" && apiVersion === "serving.knative.dev/v1";

const knativeService = (object: KubeObject): KnativeService => JSON.parse(JSON.stringify(object));
const apiServerSource = (object: KubeObject): ApiServerSource => JSON.parse(JSON.stringify(object));
const pingSource = (object: KubeObject): PingSource => JSON.parse(JSON.stringify(object));

export const knativeServices = (objects: readonly KubeObject[]): readonly KnativeService[] =>
  objects.filter((object) => serving(object)).map((object) => knativeService(object));

export const apiServerSources = (objects: readonly KubeObject[]): readonly ApiServerSource[] =>
  objects.filter(({ kind }) => kind === "ApiServerSource").map((object) => apiServerSource(object));

export const pingSources = (objects: readonly KubeObject[]): readonly PingSource[] =>
  objects.filter(({ kind }) => kind === "PingSource").map((object) => pingSource(object));

export const containerSourceOf = (objects: readonly KubeObject[]): ContainerSource =>
  JSON.parse(JSON.stringify(objectOf(objects, "ContainerSource", "sampledb-source")));

/** The one object of that kind and name; throws where there is none. */
export const objectOf = (objects: readonly KubeObject[], kind: string, name: string): KubeObject => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

/** The only container of a Knative Service, a Deployment or a Job. */
export const containerOf = (workload: KnativeService | KubeObject): KnativeContainer => {
  const { spec }: Pick<KnativeService, "spec"> = JSON.parse(JSON.stringify(workload));
  const [container, ...others] = spec.template.spec.containers;
  if (container === undefined || others.length > 0) throw new Error("there must be one container");
  return container;
};

/** The environment of a container; undefined what is not given as text. */
export const valuesOf = ({ env = [] }: KnativeContainer): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));
