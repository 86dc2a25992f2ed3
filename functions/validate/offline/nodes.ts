import { isAlias, isMap, isScalar, isSeq } from "yaml";
import type { Document, Node, Pair } from "yaml";

/** The node itself, or what an alias stands for. */
export const resolved = (node: unknown, document: Document.Parsed): unknown =>
  isAlias(node) ? node.resolve(document) : node;

/** Name that a key has once the YAML is an object; the merge key is `<<`. */
export const keyText = (key: unknown): string => {
  if (!isScalar(key)) return "";
  return typeof key.value === "symbol" ? "<<" : String(key.value);
};

/** Where a node begins; undefined for what stands nowhere, such as an empty value. */
export const startOf = (node: unknown): number | undefined =>
  isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;

const mergedPairs = (value: unknown, document: Document.Parsed): readonly Pair[] => {
  const source = resolved(value, document);
  const sources = isSeq(source) ? source.items.map((item) => resolved(item, document)) : [source];
  return sources.flatMap((item) => (isMap(item) ? pairsOf(item, document) : []));
};

/** Fields of a map, what `<<` brings in last. */
export const pairsOf = (node: Node | null, document: Document.Parsed): readonly Pair[] => {
  if (!isMap(node)) return [];
  const own: readonly Pair[] = node.items;
  const merged = own.filter(({ key }) => keyText(key) === "<<");
  return [
    // The last of two equal ones counts.
    ...own.filter(({ key }) => keyText(key) !== "<<").toReversed(),
    ...merged.flatMap(({ value }) => mergedPairs(value, document)),
  ];
};
