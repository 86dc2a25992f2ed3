import { manifestsIn } from "../../support/kustomize/manifest-files.ts";

type Named<Spec> = { readonly metadata: { readonly name: string }; readonly spec: Spec };
type ResourceRule = {
  readonly apiGroups: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
};
type Policy = Named<{ readonly matchConstraints: { readonly resourceRules: readonly ResourceRule[] } }>;
type Binding = Named<{ readonly policyName: string; readonly validationActions: readonly string[] }>;

type Kind = { readonly kind: string };

// A patch that deletes one has no spec.
const isPolicy = (object: Kind): object is Kind & Policy =>
  object.kind === "ValidatingAdmissionPolicy" && "spec" in object;
const isBinding = (object: Kind): object is Kind & Binding =>
  object.kind === "ValidatingAdmissionPolicyBinding" && "spec" in object;

/** What the policy looks at: each operation, API group and resource, e.g. "DELETE apps/deployments" or "DELETE /pods". */
export const looksAt = ({ spec }: Policy): readonly string[] =>
  spec.matchConstraints.resourceRules.flatMap(({ apiGroups, operations, resources }) =>
    operations.flatMap((operation) =>
      apiGroups.flatMap((group) => resources.map((resource) => `${operation} ${group}/${resource}`)),
    ),
  );

/** The admission policies of one file of manifests/, and their bindings. */
export const policiesIn = (
  file: string,
): { readonly policies: readonly Policy[]; readonly bindings: readonly Binding[] } => {
  const objects: readonly Kind[] = manifestsIn(file);
  return { policies: objects.filter(isPolicy), bindings: objects.filter(isBinding) };
};
