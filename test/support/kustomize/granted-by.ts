import { manifestsIn } from "./manifest-files.ts";

/** What a function's ClusterRole (and Role, where it has one) grants: `verb resource`, each once, sorted. */
export const grantedBy = (name: string): readonly string[] => {
  const rules = manifestsIn(`base/functions/${name}.yaml`).flatMap((manifest) => manifest.rules ?? []);
  const rights = rules.flatMap(({ resources, verbs }) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
  );
  return [...new Set(rights)].toSorted();
};
