import { parseAllDocuments } from "yaml";

/** An object of a cluster, or to be put there: any kind. */
export type KubeObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly unknown[];
  };
} & Readonly<Record<string, unknown>>;

/** The objects of rendered YAML. */
export const objectsIn = (text: string): readonly KubeObject[] =>
  parseAllDocuments(text).map((document): KubeObject => document.toJS());

/** The objects that kubectl printed in JSON: a list, one alone, or nothing. */
export const itemsIn = (json: string): readonly KubeObject[] => {
  if (json.trim() === "") return [];
  const value: KubeObject & { readonly items?: readonly KubeObject[] } = JSON.parse(json);
  return value.kind === "List" ? (value.items ?? []) : [value];
};

/** What follows a path of names within an object; undefined where it ends early. */
export const valueAt = (from: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined,
    from,
  );

/** The same, where a list should be; empty where there is none. */
export const listAt = (from: unknown, ...path: readonly string[]): readonly unknown[] => {
  const value = valueAt(from, ...path);
  return Array.isArray(value) ? value : [];
};

/** The same, where text or a number should be; empty where there is neither. */
export const textAt = (from: unknown, ...path: readonly string[]): string => {
  const value = valueAt(from, ...path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

/** Text of an object for a list that applies or deletes it. */
export const listOf = (items: readonly KubeObject[]): string =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

/** `Kind namespace/name` or `Kind name`. */
export const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
