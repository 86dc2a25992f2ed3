import type { ObjectMeta } from "../../../functions/shared/api/sampledb.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An object of any kind, as a watch gives it. */
export type Thing = {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly data?: Readonly<Record<string, string>>;
};

/** One line of a watch. */
export type Change = {
  readonly kind: Kind;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly thing: Thing;
};

/** The fields of a value that may be anything. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** Text at a path of fields, e.g. `spec`, `volumeName`; undefined where there is none. */
export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  let found = value;
  for (const field of path) found = fieldsOf(found)[field];
  return typeof found === "string" ? found : undefined;
};

/** Status and reason of a condition of a SampleDB; undefined where it has none of that type. */
export const conditionOf = (thing: Thing | undefined, type: string): Fields | undefined => {
  const conditions = thing?.status?.["conditions"];
  return Array.isArray(conditions)
    ? conditions.map(fieldsOf).find((condition) => condition["type"] === type)
    : undefined;
};
