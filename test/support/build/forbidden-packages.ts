import type { Metafile } from "esbuild";

const CLIENT = "@kubernetes/client-node";

/** Admission answers within the first 100 ms of its process: what takes longer to load must not be in there. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  admission: [CLIENT, "express"],
  mutate: [CLIENT, "express"],
  validate: [CLIENT, "express"],
};

/** Name of the package that a bundled file comes from, undefined for a file of ours. */
const packageOf = (input: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(input)?.[1];

/** Names of the packages in a bundle, sorted. Packages of which nothing was left over do not count. */
export const packagesIn = (metafile: Metafile): readonly string[] => {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const names = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => packageOf(input))
    .filter((name) => name !== undefined);
  return [...new Set(names)].toSorted();
};

/** The packages in a function's bundle that must not be there. */
export const forbiddenIn = (name: string, metafile: Metafile): readonly string[] => {
  const forbidden = FORBIDDEN[name] ?? [];
  return packagesIn(metafile).filter((found) => forbidden.includes(found));
};
