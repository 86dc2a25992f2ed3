import type { Selector } from "../../kustomize/ingress.ts";
import { selects } from "../../kustomize/ingress.ts";
import type { KubeObject } from "../../../../deploy/shared/rendered.ts";
import { fieldsOf } from "../build.ts";
import type { Build, Check } from "../build.ts";
import { coreServices, networkPod, portsOf, selectedBy } from "../places.ts";
import { whatIs } from "../workload.ts";
import type { Workload } from "../workload.ts";

const hasPort = (workload: Workload, port: string | number): boolean =>
  portsOf(workload).some(({ name, number }) => port === name || port === number);

/** The port that a function of OpenFaaS has beside its watchdog's is in no manifest but its setting. */
const listensAt = (workload: Workload, port: string | number): boolean =>
  hasPort(workload, port) ||
  workload.pod.containers.some(({ env = [] }) =>
    env.some(({ name, value }) => name === "PORT" && value === String(port)),
  );

const ofService = (build: Build, service: KubeObject): readonly string[] => {
  const { workloads, isPlatform, selector } = selectedBy(build, service);
  if (workloads.length === 0)
    return isPlatform
      ? []
      : [`${whatIs(service)}: spec.selector: ${JSON.stringify(selector)} selects no pod`];
  const {
    spec,
  }: {
    spec: { ports: readonly { name?: string; port: number; targetPort?: string | number }[] };
  } = fieldsOf(service);
  return spec.ports.flatMap(({ port, targetPort = port }) =>
    workloads
      .filter((workload) => !listensAt(workload, targetPort))
      .map(({ what }) => `${whatIs(service)}: spec.ports: targetPort ${targetPort} is none of ${what}`),
  );
};

const within = (object: KubeObject, { workloads }: Build, selector: Selector): readonly Workload[] =>
  workloads.filter((workload) => {
    const { namespace, labels } = networkPod(workload);
    return namespace === object.metadata.namespace && selects(selector, labels);
  });

const ofBudget = (build: Build, object: KubeObject): readonly string[] => {
  const { spec }: { spec: { selector: Selector } } = fieldsOf(object);
  return within(object, build, spec.selector).length > 0
    ? []
    : [`${whatIs(object)}: spec.selector selects no pod`];
};

const ofPolicy = (build: Build, object: KubeObject): readonly string[] => {
  const {
    spec,
  }: {
    spec: { podSelector: Selector; ingress?: readonly { ports?: readonly { port?: string | number }[] }[] };
  } = fieldsOf(object);
  const selected = within(object, build, spec.podSelector);
  if (selected.length === 0) return [`${whatIs(object)}: spec.podSelector selects no pod`];
  return (spec.ingress ?? [])
    .flatMap(({ ports = [] }) => ports)
    .filter(({ port }) => typeof port === "string" && !selected.some((workload) => hasPort(workload, port)))
    .map(
      ({ port }) => `${whatIs(object)}: spec.ingress.ports: no pod that it selects has a port called ${port}`,
    );
};

const ofWorkload = ({ objects }: Build, { what, kind, name }: Workload): readonly string[] => {
  const own = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (kind !== "Deployment" || own === undefined) return [];
  const {
    spec,
  }: {
    spec: { selector: Selector; template: { metadata: { labels: Readonly<Record<string, string>> } } };
  } = fieldsOf(own);
  return selects(spec.selector, spec.template.metadata.labels)
    ? []
    : [`${what}: spec.selector is not its pods'`];
};

/** Whatever selects pods selects some, at ports that they have. */
export const selectors: Check = (build) => [
  ...coreServices(build).flatMap((service) => ofService(build, service)),
  ...build.objects
    .filter(({ kind }) => kind === "PodDisruptionBudget")
    .flatMap((each) => ofBudget(build, each)),
  ...build.objects.filter(({ kind }) => kind === "NetworkPolicy").flatMap((each) => ofPolicy(build, each)),
  ...build.workloads.flatMap((workload) => ofWorkload(build, workload)),
];
