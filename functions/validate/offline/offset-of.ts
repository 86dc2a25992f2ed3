import { isMap, isScalar, isSeq } from "yaml";
import type { Document } from "yaml";
import { keyText, pairsOf, resolved, startOf } from "./nodes.ts";

type Step = { readonly node: unknown; readonly offset: number | undefined; readonly rest: string };

const after = (path: string, length: number): string => path.slice(length).replace(/^\./u, "");

// Names may hold dots themselves, so the longest name that the path begins with is meant.
const intoMap = (node: unknown, path: string, document: Document.Parsed): Step | undefined => {
  if (!isMap(node)) return undefined;
  const fitting = pairsOf(node, document)
    .map(({ key, value }) => ({ key, value, name: keyText(key) }))
    .filter(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  return fitting === undefined
    ? undefined
    : { node: fitting.value, offset: startOf(fitting.key), rest: after(path, fitting.name.length) };
};

const intoList = (node: unknown, path: string): Step | undefined => {
  const [index = "", position = ""] = /^\[(\d+)\]/u.exec(path) ?? [];
  if (!isSeq(node) || index === "") return undefined;
  const item: unknown = node.items[Number(position)];
  return { node: item, offset: startOf(item), rest: after(path, index.length) };
};

/**
 * Where the field of a violation stands: its value where that is a single one, else its name; where it is missing, what it is missing
 * in. `root` is the object's node.
 */
export const offsetOf = (root: unknown, path: string, document: Document.Parsed): number => {
  let node = root;
  let offset = startOf(root) ?? document.range[0];
  for (let rest = path; rest !== "";) {
    const inner = resolved(node, document);
    const step: Step | undefined = intoMap(inner, rest, document) ?? intoList(inner, rest);
    if (step === undefined) return offset;
    ({ node, rest } = step);
    offset = step.offset ?? offset;
  }
  return (isScalar(node) ? startOf(node) : undefined) ?? offset;
};
