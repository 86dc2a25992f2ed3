import { CHILD_KINDS } from "./child-kinds.ts";
import { possibleOwners } from "./child-names.ts";
import { keyText } from "./key.ts";
import type { Key } from "./key.ts";
import { LABEL } from "./markers.ts";

/** The parts of an event in which a key may stand. All of them come from strangers. */
export type Hint = {
  /** Extension attributes `kind`, `namespace` and `name`: Knative's and ours. */
  readonly kind: unknown;
  readonly namespace: unknown;
  readonly name: unknown;
  /** An object, or a reference to one. */
  readonly data: unknown;
};

/** For events that say no more than a name. */
const HAS_DERIVED_NAME: ReadonlySet<string> = new Set(CHILD_KINDS);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Not copied: it may be megabytes of a stranger's. */
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

const textIn = (fields: Fields, name: string): string | undefined => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
};

// Names end up in paths and selectors of API calls, so nothing but names gets through.
const isNamespace = (text: string): boolean => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/u.test(text);
const isName = (text: string): boolean =>
  text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u.test(text);

const namesOf = (
  kind: string | undefined,
  name: string | undefined,
  label: string | undefined,
): readonly string[] => {
  if (kind === "SampleDB") return name === undefined ? [] : [name];
  if (label !== undefined) return [label];
  return name !== undefined && kind !== undefined && HAS_DERIVED_NAME.has(kind) ? possibleOwners(name) : [];
};

/**
 * The SampleDBs that an event may be about: the SampleDB itself, that which a child's label names, or every one that a child's name could
 * belong to. Empty where the event names none. Trusting it costs no more than a read: whether there is such a SampleDB is read live.
 */
export const keysOf = (hint: Hint): readonly Key[] => {
  const data = fieldsOf(hint.data);
  const metadata = fieldsOf(data["metadata"]);
  const labels = fieldsOf(metadata["labels"]);
  // An object's own fields first, then a reference's, then the attributes.
  const layers = [metadata, data, { ...hint }];
  const find = (field: string): string | undefined =>
    layers.map((layer) => textIn(layer, field)).find((value) => value !== undefined);
  const namespace = find("namespace") ?? textIn(labels, LABEL.namespace);
  if (namespace === undefined || !isNamespace(namespace)) return [];
  const kind = textIn(data, "kind") ?? textIn({ ...hint }, "kind");
  const names = namesOf(kind, find("name"), textIn(labels, LABEL.database)).filter(isName);
  const keys = names.map((name) => ({ namespace, name }));
  return [...new Map(keys.map((key) => [keyText(key), key])).values()];
};
