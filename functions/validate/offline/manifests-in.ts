import { isMap, isSeq } from "yaml";
import type { Document } from "yaml";
import { resolved } from "./nodes.ts";

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One object of a document, and its node there. */
export type Manifest = { readonly object: unknown; readonly node: unknown };

/** The objects of a document: itself, or the items of a list (`kind: List`, `kind: SampleDBList`), lists in lists too. */
export const manifestsIn = (
  object: unknown,
  node: unknown,
  document: Document.Parsed,
): readonly Manifest[] => {
  if (object === null || object === undefined) return [];
  const items: unknown = isFields(object) ? object["items"] : undefined;
  const isList = isFields(object) && String(object["kind"]).endsWith("List") && Array.isArray(items);
  if (!isList) return [{ object, node }];
  const map = resolved(node, document);
  const list = resolved(isMap(map) ? map.get("items", true) : undefined, document);
  return items.flatMap((item: unknown, index) =>
    manifestsIn(item, isSeq(list) ? list.items[index] : undefined, document),
  );
};
