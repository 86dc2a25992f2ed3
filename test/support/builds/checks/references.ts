import type { Build, Check } from "../build.ts";
import { fieldsOf } from "../build.ts";
import { whatIs } from "../workload.ts";
import type { Volume, Workload } from "../workload.ts";

/** Secrets that a user makes by hand, as the overlay's README says. */
const BY_HAND: Readonly<Record<string, readonly string[]>> = { "sampledb-caller": ["sampledb-caller"] };
const CERTIFICATE = ["tls.crt", "tls.key", "ca.crt"];

const isThere = ({ objects }: Build, kind: string, name: string, namespace: string): boolean =>
  objects.some(
    ({ kind: its, metadata }) =>
      its === kind && metadata.name === name && (metadata.namespace ?? "") === namespace,
  );

/** Secrets that there will be, with their keys: certify's or cert-manager's, and the user's. */
export const secretsOf = ({ objects, workloads }: Build): Readonly<Record<string, readonly string[]>> => {
  const issued = objects
    .filter(({ kind }) => kind === "Certificate")
    .map((object) => {
      const { spec }: { spec: { secretName: string } } = fieldsOf(object);
      return spec.secretName;
    });
  const made = workloads.some(({ fn }) => fn === "certify") ? ["sampledb-admission-tls"] : [];
  return { ...BY_HAND, ...Object.fromEntries([...issued, ...made].map((name) => [name, CERTIFICATE])) };
};

type Mounted = { readonly kind: string; readonly name: string; readonly keys: readonly string[] };

const keys = (items: readonly { readonly key: string }[] = []): readonly string[] =>
  items.map(({ key }) => key);

const mountedBy = ({ configMap, secret, projected }: Volume): readonly Mounted[] => {
  const sources = projected?.sources ?? [];
  return [
    ...[configMap, ...sources.map((source) => source.configMap)].flatMap((each) =>
      each === undefined ? [] : [{ kind: "ConfigMap", name: each.name, keys: keys(each.items) }],
    ),
    ...(secret === undefined ? [] : [{ kind: "Secret", name: secret.secretName, keys: keys(secret.items) }]),
    ...sources.flatMap((source) =>
      source.secret === undefined
        ? []
        : [{ kind: "Secret", name: source.secret.name, keys: keys(source.secret.items) }],
    ),
  ];
};

const ofVolumes = (build: Build, { what, path, pod, namespace }: Workload): readonly string[] =>
  (pod.volumes ?? []).flatMap((volume) =>
    mountedBy(volume).flatMap(({ kind, name, keys: wanted }) => {
      const at = `${what}: ${path}.spec.volumes.${volume.name}`;
      if (kind === "ConfigMap")
        return isThere(build, kind, name, namespace)
          ? []
          : [`${at}: there is no ConfigMap ${namespace}/${name}`];
      const known = secretsOf(build)[name];
      if (known === undefined) return [`${at}: nobody makes the Secret ${name}`];
      return wanted
        .filter((key) => !known.includes(key))
        .map((key) => `${at}: the Secret ${name} has no key ${key}`);
    }),
  );

const ofMounts = ({ what, path, pod }: Workload): readonly string[] => {
  const volumes = (pod.volumes ?? []).map(({ name }) => name);
  const mounts = new Set(
    pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)),
  );
  return [
    ...[...mounts]
      .filter((name) => !volumes.includes(name))
      .map((name) => `${what}: no volume is called ${name}`),
    ...volumes
      .filter((name) => !mounts.has(name))
      .map((name) => `${what}: ${path}.spec.volumes.${name} is not mounted`),
  ];
};

const ofAccount = (build: Build, { what, path, pod, namespace, fn }: Workload): readonly string[] => {
  const { serviceAccountName: name = "default" } = pod;
  const at = `${what}: ${path}.spec.serviceAccountName`;
  if (name !== fn) return [`${at}: ${name} is not that of the function ${fn}`];
  return isThere(build, "ServiceAccount", name, namespace)
    ? []
    : [`${at}: there is no account ${namespace}/${name}`];
};

/** Accounts whose pods others make; what the pods are made from names them. */
const namedBySources = ({ objects }: Build): readonly string[] =>
  objects
    .filter(({ kind }) => kind === "ApiServerSource")
    .map((object) => {
      const { spec }: { spec: { serviceAccountName?: string } } = fieldsOf(object);
      return spec.serviceAccountName ?? "default";
    });

const unused = (build: Build): readonly string[] => {
  const accounts = new Set([
    ...build.workloads.map(({ pod }) => pod.serviceAccountName),
    ...namedBySources(build),
  ]);
  const maps = new Set(
    build.workloads.flatMap(({ pod }) =>
      (pod.volumes ?? []).flatMap((volume) => mountedBy(volume)).map(({ name }) => name),
    ),
  );
  // OpenFaaS' functions are deployed by themselves, and a build may be without them.
  const used: Readonly<Record<string, ReadonlySet<string | undefined>>> = {
    ServiceAccount: accounts,
    ConfigMap: maps,
  };
  return build.objects
    .filter(({ kind, metadata }) => used[kind] !== undefined && !used[kind].has(metadata.name))
    .map((object) => `${whatIs(object)}: nothing uses it`);
};

/** Accounts, ConfigMaps and Secrets that something names are there, with their keys, and none is there for nothing. */
export const references: Check = (build) => [
  ...build.workloads.flatMap((workload) => [
    ...ofAccount(build, workload),
    ...ofVolumes(build, workload),
    ...ofMounts(workload),
  ]),
  ...namedBySources(build)
    .filter((name) => !isThere(build, "ServiceAccount", name, build.namespace))
    .map(
      (name) => `ApiServerSource: spec.serviceAccountName: there is no account ${build.namespace}/${name}`,
    ),
  ...unused(build),
];
