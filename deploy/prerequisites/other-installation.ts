import { listAt, type KubeObject, textAt } from "../shared/rendered.ts";
import type { Platform } from "../shared/platform.ts";
import { type Finding, missing } from "./finding.ts";
import type { Seen } from "./seen.ts";

/** Functions that are Deployments on plain Kubernetes alone; one of them is there in every form of it. */
const RESIDENT: ReadonlySet<string> = new Set(["reconcile", "provision"]);

const isOurs = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.["app.kubernetes.io/part-of"] === "sampledb";

const namespacesOf = (binding: KubeObject): readonly string[] =>
  listAt(binding, "subjects")
    .map((subject) => textAt(subject, "namespace"))
    .filter((namespace) => namespace !== "");

const bindings = (all: readonly KubeObject[]): readonly KubeObject[] =>
  all.filter(({ kind }) => kind === "ClusterRoleBinding");

/** The namespace whose functions have a cluster-wide name that the rendered objects claim too; undefined where it is free or theirs. */
export const claimedBy = (
  rendered: readonly KubeObject[],
  { objects }: Pick<Seen, "objects">,
): string | undefined => {
  const claims = new Map(bindings(rendered).map((binding) => [binding.metadata.name, namespacesOf(binding)]));
  return bindings(objects)
    .filter((binding) => isOurs(binding))
    .flatMap((binding) => {
      const claimed = claims.get(binding.metadata.name);
      return claimed === undefined ? [] : namespacesOf(binding).filter((name) => !claimed.includes(name));
    })
    .at(0);
};

/** The platform that is installed in a namespace; undefined where nothing is that one could tell it by. */
export const installedPlatform = (
  { objects }: Pick<Seen, "objects">,
  namespace: string,
): Platform | undefined => {
  const here = objects.filter(({ metadata }) => metadata.namespace === namespace);
  if (here.some((object) => object.apiVersion.startsWith("serving.knative.dev/") && isOurs(object)))
    return "knative";
  const deployments = here.filter(({ kind }) => kind === "Deployment");
  if (deployments.some(({ metadata }) => metadata.labels?.["faas_function"] === "sampledb-reconcile"))
    return "openfaas";
  return deployments.some((object) => isOurs(object) && RESIDENT.has(object.metadata.name))
    ? "kubernetes"
    : undefined;
};

/** Whether SampleDB is installed already, otherwise than it is to be: in another namespace, or for another platform. */
export const otherInstallationFindings = (
  seen: Seen,
  wanted: {
    readonly rendered: readonly KubeObject[];
    readonly platform: Platform;
    readonly namespace: string;
  },
): readonly Finding[] => {
  const { platform, namespace } = wanted;
  const elsewhere = claimedBy(wanted.rendered, seen);
  const other = installedPlatform(seen, namespace);
  return [
    ...(elsewhere === undefined
      ? []
      : [
          missing(
            `SampleDB's cluster-wide names for the namespace ${namespace}`,
            `the SampleDB in the namespace ${elsewhere} has them`,
            `--namespace ${elsewhere} to change that one, or uninstall it first: npm run uninstall -- --platform ${installedPlatform(seen, elsewhere) ?? platform} --namespace ${elsewhere}`,
          ),
        ]),
    ...(other === undefined || other === platform
      ? []
      : [
          missing(
            `a namespace ${namespace} without SampleDB for another platform`,
            `SampleDB for ${other} is there`,
            `uninstall it first (databases go on running): npm run uninstall -- --platform ${other} --namespace ${namespace}`,
          ),
        ]),
  ];
};
