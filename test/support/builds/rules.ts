import type { PolicyRule } from "../kustomize/manifest-files.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { fieldsOf } from "./build.ts";
import type { Build } from "./build.ts";

/** Where a right holds: `everywhere`, or a namespace. */
type Scope = string;

/** Rights one by one, each as `verb group/resource` with the object's name where it is limited to one, and where it holds. */
export const rightsOf = (rules: readonly PolicyRule[], scope: Scope): readonly string[] =>
  rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [""] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          resourceNames.map(
            (name) => `${verb} ${group}/${resource}${name === "" ? "" : ` ${name}`} (${scope})`,
          ),
        ),
      ),
    ),
  );

type Subject = { readonly kind: string; readonly name: string; readonly namespace?: string };
type Binding = {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
};

export const isBinding = ({ kind }: KubeObject): boolean =>
  kind === "ClusterRoleBinding" || kind === "RoleBinding";
export const isRole = ({ kind }: KubeObject): boolean => kind === "ClusterRole" || kind === "Role";

export const bindingOf = (object: KubeObject): Binding => fieldsOf(object);

/** The role that a binding names, if the build has it. */
export const roleOf = ({ objects }: Build, binding: KubeObject): KubeObject | undefined => {
  const { roleRef } = bindingOf(binding);
  return objects.find(
    ({ kind, metadata }) =>
      kind === roleRef.kind &&
      metadata.name === roleRef.name &&
      (kind === "ClusterRole" || metadata.namespace === binding.metadata.namespace),
  );
};

/** Everything that a service account of the functions' namespace may, sorted. */
export const rightsOfAccount = (build: Build, account: string): readonly string[] =>
  build.objects
    .filter((object) => isBinding(object))
    .filter((object) =>
      (bindingOf(object).subjects ?? []).some(
        ({ kind, name, namespace }) =>
          kind === "ServiceAccount" && name === account && namespace === build.namespace,
      ),
    )
    .flatMap((object) => {
      const role = roleOf(build, object);
      const { rules }: { rules: readonly PolicyRule[] } = role === undefined ? { rules: [] } : fieldsOf(role);
      const scope = object.kind === "ClusterRoleBinding" ? "everywhere" : (object.metadata.namespace ?? "");
      return rightsOf(rules, scope);
    })
    .toSorted();
