import { isMap, isSeq } from "yaml";
import { keyText, startOf } from "./nodes.ts";

/** A field that stands twice in one map, of which YAML readers take the last without a word and kubectl none. */
export type RepeatedKey = { readonly path: string; readonly offset: number; readonly firstOffset: number };

const within = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** Every repetition below a node, other than in what its aliases stand for. */
export const repeatedKeys = (node: unknown, path = ""): readonly RepeatedKey[] => {
  if (isSeq(node)) return node.items.flatMap((item, index) => repeatedKeys(item, `${path}[${index}]`));
  if (!isMap(node)) return [];
  const first = new Map<string, number>();
  return node.items.flatMap(({ key, value }) => {
    const name = keyText(key);
    const [offset, firstOffset] = [startOf(key) ?? 0, first.get(name)];
    const inner = repeatedKeys(value, within(path, name));
    if (firstOffset !== undefined) return [{ path: within(path, name), offset, firstOffset }, ...inner];
    first.set(name, offset);
    return inner;
  });
};
