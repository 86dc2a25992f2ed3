import { manifestsIn } from "./manifest-files.ts";

/** What a function's ClusterRole grants, `verb resource`, sorted. */
export const grantedBy = (name: string): readonly string[] =>
  (manifestsIn(`base/functions/${name}.yaml`).find(({ kind }) => kind === "ClusterRole")?.rules ?? [])
    .flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    )
    .toSorted();
