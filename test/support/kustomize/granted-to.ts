import type { KubeObject } from "../../../deploy/shared/rendered.ts";

type Binding = {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
};

const bindingOf = (object: KubeObject): Binding => JSON.parse(JSON.stringify(object));

/** `kind name` of each role that rendered bindings grant to a service account. */
export const grantedTo = (
  objects: readonly KubeObject[],
  namespace: string,
  account: string,
): readonly string[] =>
  objects
    .filter(({ kind }) => kind === "ClusterRoleBinding" || kind === "RoleBinding")
    .map((object) => bindingOf(object))
    .filter(({ subjects }) =>
      subjects.some(
        (subject) =>
          subject.kind === "ServiceAccount" && subject.name === account && subject.namespace === namespace,
      ),
    )
    .map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`)
    .toSorted();
