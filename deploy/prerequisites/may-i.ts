import type { Kubectl } from "../shared/kubectl.ts";
import { type KubeObject, objectsIn } from "../shared/rendered.ts";
import type { ServedKind } from "../shared/served-kinds.ts";
import { accessesFor, accessReviews, refusedIn } from "./rights.ts";

/** What the user may not do with these objects. */
export const refusedTo = async (
  kubectl: Kubectl,
  verbs: readonly string[],
  { objects, kinds }: { readonly objects: readonly KubeObject[]; readonly kinds: readonly ServedKind[] },
): Promise<readonly string[]> => {
  const accesses = accessesFor(objects, kinds, verbs);
  // In YAML: in JSON kubectl prints several objects as none that could be read.
  return accesses.length === 0
    ? []
    : refusedIn(objectsIn(await kubectl(["create", "-o", "yaml", "-f", "-"], accessReviews(accesses))));
};
