import { type KubeObject, textAt, valueAt } from "../shared/rendered.ts";
import { groupOf, type ServedKind, servedAs } from "../shared/served-kinds.ts";
import { type Finding, missing } from "./finding.ts";

/** Something that one may or may not do, as the API server is asked for it. */
export type Access = {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
};

const keyOf = ({ verb, group, resource, namespace = "" }: Access): string =>
  `${verb} ${group} ${resource} ${namespace}`;

/** What one must be allowed to do with these objects, each once. Kinds that are not served are told elsewhere. */
export const accessesFor = (
  objects: readonly KubeObject[],
  kinds: readonly ServedKind[],
  verbs: readonly string[],
): readonly Access[] => {
  const all = objects.flatMap((object) => {
    const served = servedAs(kinds, object);
    if (served === undefined) return [];
    const { namespace } = object.metadata;
    return verbs.map((verb) => ({
      verb,
      group: groupOf(served.apiVersion),
      resource: served.plural,
      ...(served.isNamespaced && namespace !== undefined ? { namespace } : {}),
    }));
  });
  return [...new Map(all.map((access) => [keyOf(access), access])).values()];
};

/** The questions to the API server: to be created, which stores nothing; the answers are in what it gives back. */
export const accessReviews = (accesses: readonly Access[]): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "List",
    items: accesses.map((resourceAttributes) => ({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes },
    })),
  });

/** What its answers refuse: `create deployments.apps in sampledb-system`. */
export const refusedIn = (reviews: readonly unknown[]): readonly string[] =>
  reviews
    .filter((review) => valueAt(review, "status", "allowed") !== true)
    .map((review) => {
      const at = (name: string): string => textAt(review, "spec", "resourceAttributes", name);
      const resource = at("group") === "" ? at("resource") : `${at("resource")}.${at("group")}`;
      return `${at("verb")} ${resource}${at("namespace") === "" ? "" : ` in ${at("namespace")}`}`;
    });

const SHOWN = 8;

/** One finding for everything that is refused. */
export const rightsFindings = (refused: readonly string[]): readonly Finding[] => {
  if (refused.length === 0) return [];
  const more = refused.length > SHOWN ? `, and ${refused.length - SHOWN} more` : "";
  return [
    missing(
      "the rights of an administrator",
      `you may not: ${refused.slice(0, SHOWN).join(", ")}${more}`,
      "use an account that may (kubectl auth can-i --list), such as one with the ClusterRole cluster-admin",
    ),
  ];
};
