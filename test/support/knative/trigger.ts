import type { KubeObject } from "../../../deploy/shared/rendered.ts";

/** A filter of a Trigger: exactly one of these words. */
type Filter = {
  readonly exact?: Attributes;
  readonly prefix?: Attributes;
  readonly suffix?: Attributes;
  readonly any?: readonly Filter[];
  readonly all?: readonly Filter[];
  readonly not?: Filter;
};
type Attributes = Readonly<Record<string, string>>;
type Ref = { readonly apiVersion: string; readonly kind: string; readonly name: string };
export type Trigger = {
  readonly metadata: KubeObject["metadata"];
  readonly spec: {
    readonly broker: string;
    readonly filters: readonly Filter[];
    readonly subscriber: { readonly ref: Ref };
    readonly delivery: Readonly<Record<string, unknown>>;
  };
};

const triggerOf = (object: KubeObject): Trigger => JSON.parse(JSON.stringify(object));

export const triggersIn = (objects: readonly KubeObject[]): readonly Trigger[] =>
  objects.filter(({ kind }) => kind === "Trigger").map((object) => triggerOf(object));

const every =
  (wanted: Attributes, test: (value: string) => (attribute: string) => boolean) =>
  (event: Attributes): boolean =>
    Object.entries(wanted).every(([name, value]) => {
      const attribute = event[name];
      return attribute !== undefined && test(value)(attribute);
    });

/** How each word judges an event's attributes, as Knative's pkg/eventfilter/subscriptionsapi does. */
const passesOne = (filter: Filter, event: Attributes): boolean => {
  const { exact, prefix, suffix, any, all, not } = filter;
  const verdicts = [
    exact && every(exact, (value) => (attribute) => attribute === value)(event),
    prefix && every(prefix, (value) => (attribute) => attribute.startsWith(value))(event),
    suffix && every(suffix, (value) => (attribute) => attribute.endsWith(value))(event),
    any?.some((each) => passesOne(each, event)),
    all?.every((each) => passesOne(each, event)),
    not && !passesOne(not, event),
  ];
  return verdicts.every((verdict) => verdict ?? true);
};

/** Whether an event with these attributes wakes the Trigger's subscriber. */
export const wakes = ({ spec }: Trigger, event: Attributes): boolean =>
  spec.filters.every((filter) => passesOne(filter, event));

const DIALECTS = new Set(["exact", "prefix", "suffix", "any", "all", "not"]);

/** What Knative's webhook, which is not in the schema, would not take of a filter; empty where it takes it. */
const faultsIn = (filter: Filter): readonly string[] => {
  const words = Object.keys(filter);
  const names = [filter.exact, filter.prefix, filter.suffix].flatMap((attributes) =>
    Object.entries(attributes ?? {}),
  );
  return [
    ...words.filter((word) => !DIALECTS.has(word)).map((word) => `${word} is no dialect`),
    ...(words.length === 1 ? [] : [`one dialect, not ${words.join(" ") || "none"}`]),
    ...names
      .filter(([name, value]) => !/^[a-z][a-z0-9]*$/u.test(name) || value === "")
      .map(([name]) => `attribute ${name}`),
    ...[
      ...(filter.any ?? []),
      ...(filter.all ?? []),
      ...(filter.not === undefined ? [] : [filter.not]),
    ].flatMap((each) => faultsIn(each)),
  ];
};

export const filterFaults = ({ spec }: Trigger): readonly string[] =>
  spec.filters.flatMap((filter) => faultsIn(filter));
