import { guessedPlural } from "../../knative/guessed-plural.ts";
import { manifestsIn } from "../../kustomize/manifest-files.ts";
import type { Manifest, PolicyRule } from "../../kustomize/manifest-files.ts";
import type { KubeObject } from "../../../../deploy/shared/rendered.ts";
import type { Build, Check } from "../build.ts";
import { fieldsOf } from "../build.ts";
import { bindingOf, isBinding, isRole, rightsOf, rightsOfAccount, roleOf } from "../rules.ts";
import { whatIs } from "../workload.ts";
import type { Workload } from "../workload.ts";

/** Which functions a process has; any other has the one of its name. */
const FUNCTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  reconcile: ["provision", "initialize", "retire", "report"],
  admission: [],
};
/** Where the roles are that tests hold against what each function asks the API server for (rights, certify, undelivered in test/cluster). */
const MEASURED: Readonly<Record<string, string>> = {
  provision: "base/functions/provision.yaml",
  initialize: "base/functions/initialize.yaml",
  retire: "base/functions/retire.yaml",
  report: "base/functions/report.yaml",
  source: "base/functions/source.yaml",
  resync: "base/functions/resync.yaml",
  certify: "base/functions/certify.yaml",
  undelivered: "overlays/knative/components/broker/rights.yaml",
};
/** What those do besides where a release looks after some namespaces alone. */
const OF_RELEASES: Readonly<Record<string, readonly string[]>> = {
  provision: ["get"],
  initialize: ["get"],
  retire: ["get"],
  report: ["get"],
  source: ["list", "watch"],
  resync: ["list"],
};

const measured = new Map<string, readonly Manifest[]>();
const rolesOf = (name: string): readonly Manifest[] => {
  const roles =
    measured.get(name) ??
    manifestsIn(MEASURED[name] ?? "").filter(({ kind }) => kind === "ClusterRole" || kind === "Role");
  measured.set(name, roles);
  return roles;
};

/** What is cluster-wide is called after the release, where that has a name. */
const ofRelease = (rules: readonly PolicyRule[], release: string | undefined): readonly PolicyRule[] =>
  rules.map(({ resourceNames, ...rule }) => ({
    ...rule,
    ...(resourceNames && {
      resourceNames: resourceNames.map((name) => (release === undefined ? name : `${name}-${release}`)),
    }),
  }));

const ofRoles = (name: string, namespace: string, release: string | undefined): readonly string[] =>
  rolesOf(name).flatMap(({ kind, rules = [] }) =>
    kind === "Role" ? rightsOf(rules, namespace) : rightsOf(ofRelease(rules, release), "everywhere"),
  );

/** What a process needs: the measured roles of its functions. */
const ofFunction = ({ fn, namespace, pod }: Workload): readonly string[] => {
  const names = (FUNCTIONS_OF[fn] ?? [fn]).filter((name) => MEASURED[name] !== undefined);
  const selector = pod.containers
    .flatMap(({ env = [] }) => env)
    .find(({ name }) => name === "NAMESPACE_SELECTOR")?.value;
  const release = selector?.split("=")[1];
  const more = names.map((name) => ({
    apiGroups: [""],
    resources: ["namespaces"],
    verbs: selector === undefined ? [] : (OF_RELEASES[name] ?? []),
  }));
  return [...rightsOf(more, "everywhere"), ...names.flatMap((name) => ofRoles(name, namespace, release))];
};

type Source = {
  readonly spec: {
    readonly serviceAccountName: string;
    readonly namespaceSelector?: object;
    readonly resources: readonly { readonly apiVersion: string; readonly kind: string }[];
  };
};

/** What Knative's controller wants an adapter's account to be allowed before it makes the adapter. */
const ofSource = (object: KubeObject): readonly (readonly [string, string])[] => {
  const { spec }: Source = fieldsOf(object);
  const scope = spec.namespaceSelector === undefined ? (object.metadata.namespace ?? "") : "everywhere";
  return spec.resources.flatMap(({ apiVersion, kind }) => {
    const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
    const rule = { apiGroups: [group], resources: [guessedPlural(kind)], verbs: ["get", "list", "watch"] };
    return rightsOf([rule], scope).map((right) => [spec.serviceAccountName, right] as const);
  });
};

const ASKS =
  /authorizer\.serviceAccount\('[^']*', '(?<account>[^']*)'\)\.group\('(?<group>[^']*)'\)\.resource\('(?<resource>[^']*)'\)\.namespace\('(?<scope>[^']*)'\)\.check\('(?<verb>[^']*)'\)/gu;

/** What a webhook's condition asks about an account: it gives no access, and is there to be asked. */
const ofWebhook = (object: KubeObject): readonly (readonly [string, string])[] =>
  [...JSON.stringify(object["webhooks"] ?? []).matchAll(ASKS)].map(({ groups = {} }) => [
    groups["account"] ?? "",
    `${groups["verb"]} ${groups["group"]}/${groups["resource"]} (${groups["scope"]})`,
  ]);

/** What each account needs, by its name, sorted. */
const neededRights = (build: Build): ReadonlyMap<string, readonly string[]> => {
  const { objects, workloads } = build;
  const all = [
    ...workloads.flatMap((workload) =>
      ofFunction(workload).map((right) => [workload.pod.serviceAccountName ?? "default", right] as const),
    ),
    ...objects.filter(({ kind }) => kind === "ApiServerSource").flatMap((object) => ofSource(object)),
    ...objects.flatMap((object) => ofWebhook(object)),
  ];
  const accounts = new Set(all.map(([account]) => account));
  const rightsFor = (name: string) => all.filter(([account]) => account === name).map(([, right]) => right);
  return new Map([...accounts].map((name) => [name, [...new Set(rightsFor(name))].toSorted()]));
};

const ofAccount = (
  build: Build,
  account: KubeObject,
  neededBy: ReturnType<typeof neededRights>,
): readonly string[] => {
  const { name } = account.metadata;
  const granted = rightsOfAccount(build, name);
  const needed = neededBy.get(name) ?? [];
  const hasToken = account["automountServiceAccountToken"] !== false;
  return [
    ...granted
      .filter((right) => !needed.includes(right))
      .map((right) => `${whatIs(account)}: may ${right}, for nothing`),
    ...needed
      .filter((right) => !granted.includes(right))
      .map((right) => `${whatIs(account)}: may not ${right}`),
    ...(needed.length === 0 && hasToken && build.workloads.some(({ fn }) => fn === name)
      ? [`${whatIs(account)}: automountServiceAccountToken: it has no rights and yet a token`]
      : []),
  ];
};

const ofBinding = (build: Build, binding: KubeObject): readonly string[] => {
  const { roleRef, subjects = [] } = bindingOf(binding);
  const accounts = build.objects.filter(({ kind }) => kind === "ServiceAccount");
  return [
    ...(roleOf(build, binding) === undefined
      ? [`${whatIs(binding)}: roleRef: there is no ${roleRef.kind} ${roleRef.name}`]
      : []),
    ...(subjects.length === 0 ? [`${whatIs(binding)}: subjects: there is none`] : []),
    ...subjects
      .filter(
        ({ kind, name, namespace }) =>
          kind !== "ServiceAccount" ||
          !accounts.some(({ metadata }) => metadata.name === name && metadata.namespace === namespace),
      )
      .map(
        ({ kind, name, namespace }) =>
          `${whatIs(binding)}: subjects: there is no ${kind} ${namespace}/${name}`,
      ),
  ];
};

/** Roles for people are added to Kubernetes' own by their label. */
const isForPeople = ({ metadata }: KubeObject): boolean =>
  Object.keys(metadata.labels ?? {}).some((label) =>
    label.startsWith("rbac.authorization.k8s.io/aggregate-to-"),
  );

const unbound = (build: Build): readonly string[] => {
  const bound = new Set(
    build.objects.filter((object) => isBinding(object)).map((object) => roleOf(build, object)),
  );
  return build.objects
    .filter((object) => isRole(object) && !isForPeople(object) && !bound.has(object))
    .map((object) => `${whatIs(object)}: nobody has it`);
};

/** Each account may do exactly what its functions have been seen to do, what Knative asks for, and what a webhook asks about. */
export const rights: Check = (build) => {
  const needed = neededRights(build);
  return [
    ...build.objects
      .filter(({ kind }) => kind === "ServiceAccount")
      .flatMap((account) => ofAccount(build, account, needed)),
    ...build.objects.filter((object) => isBinding(object)).flatMap((binding) => ofBinding(build, binding)),
    ...unbound(build),
  ];
};
