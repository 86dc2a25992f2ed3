import { violationText } from "../../shared/api/violation.ts";
import type { Finding } from "./finding.ts";
import type { Found } from "./judge-text.ts";

const findingOf = ({ file, place, name }: Found, first: Found): Finding => {
  const isSameFile = file === first.file;
  const message = isSameFile
    ? `this SampleDB stands in line ${first.place.line} already, and only the last one would count`
    : `this SampleDB stands in ${first.file}:${first.place.line} too; whichever is applied last would count`;
  const path = "metadata.name";
  const text = violationText({ path, value: name, message });
  return { file, ...place, severity: isSameFile ? "violation" : "warning", path, text };
};

type Named = Found & { readonly name: string };

const hasName = (found: Found): found is Named => found.name !== undefined;

/** What counts as the same SampleDB. Two files without a namespace are often for two clusters, and for two namespaces. */
const keysOf = ({ file, namespace, name }: Named): readonly string[] => [
  JSON.stringify([file, namespace, name]),
  ...(namespace === undefined ? [] : [JSON.stringify([namespace, name])]),
];

/** SampleDBs of one name in one namespace: in one file a mistake, in two worth a warning, since those may still be for two clusters. */
export const repeatedSampleDBs = (sampledbs: readonly Found[]): readonly Finding[] => {
  const first = new Map<string, Found>();
  return sampledbs.filter(hasName).flatMap((found) => {
    const keys = keysOf(found);
    const earlier = keys.map((key) => first.get(key)).find((other) => other !== undefined);
    for (const key of keys) first.set(key, first.get(key) ?? found);
    return earlier === undefined ? [] : [findingOf(found, earlier)];
  });
};
