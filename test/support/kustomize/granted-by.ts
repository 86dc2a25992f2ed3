import { manifestsIn } from "./manifest-files.ts";

/**
 * What a function's ClusterRole (and Role, where it has one) grants: `verb resource`, each once, sorted. `file` of manifests/ has no other roles.
 */
export const grantedBy = (name: string, file = `base/functions/${name}.yaml`): readonly string[] => {
  const rules = manifestsIn(file).flatMap((manifest) => manifest.rules ?? []);
  const rights = rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
  return [...new Set(rights)].toSorted();
};
