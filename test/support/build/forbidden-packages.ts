import type { Metafile } from "esbuild";

/** Loaded only where a setting asks for them, so that no other cold start pays: the client library's configuration, tokens, traces. */
const isOnDemand = (name: string): boolean =>
  ["@kubernetes/client-node", "undici", "jose"].includes(name) ||
  (name.startsWith("@opentelemetry/") && name !== "@opentelemetry/api");

/** Admission answers within the first 100 ms of its process: nothing that takes longer to load. */
const ADMISSION: ReadonlySet<string> = new Set(["admission", "mutate", "validate"]);

/** Name of the package that a bundled file comes from, undefined for a file of ours. */
const packageOf = (input: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(input)?.[1];

/** The files that a process reads when it starts: the entry, and what it imports other than dynamically. */
export const filesAtStart = ({ outputs }: Metafile): ReadonlySet<string> => {
  const found = new Set(Object.keys(outputs).filter((file) => !/(?:^|\/)part-[^/]*$/u.test(file)));
  for (const file of found) {
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind !== "dynamic-import" && external !== true) found.add(path);
  }
  return found;
};

/** Names of the packages that a process loads when it starts, sorted. Packages of which nothing was left over do not count. */
export const packagesAtStart = (metafile: Metafile): readonly string[] => {
  const files = filesAtStart(metafile);
  const names = Object.entries(metafile.outputs)
    .filter(([file]) => files.has(file))
    .flatMap(([, output]) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => packageOf(input))
    .filter((name) => name !== undefined);
  return [...new Set(names)].toSorted();
};

/** The packages that a function loads when it starts and must not. */
export const forbiddenIn = (name: string, metafile: Metafile): readonly string[] =>
  packagesAtStart(metafile).filter(
    (found) => isOnDemand(found) || (ADMISSION.has(name) && found === "express"),
  );
