import type { SampleDB, SampleDBStatus } from "./sampledb.ts";
import { sampledbSchema } from "./sampledb-schema.ts";
import type { Schema } from "./schema.ts";
import { suggest } from "./suggest.ts";
import type { Violation } from "./violation.ts";

/** A value as far as it has the schema's shape, and what was left out because it has not. */
type Sound = { readonly value: unknown; readonly violations: readonly Violation[] };

const text: Schema = { type: "string" };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const TYPES = {
  object: { holds: isRecord, words: "an object with fields" },
  array: { holds: (value: unknown) => Array.isArray(value), words: "a list" },
  string: { holds: (value: unknown) => typeof value === "string", words: "a string" },
  integer: { holds: (value: unknown) => Number.isInteger(value), words: "a whole number" },
  boolean: { holds: (value: unknown) => typeof value === "boolean", words: "true or false, without quotes" },
} as const;

const refused = (path: string, value: unknown, message: string): Sound => ({
  value: undefined,
  violations: [{ path, value, message }],
});

const typeViolation = (schema: Schema, value: unknown): string | undefined => {
  if (schema["x-kubernetes-int-or-string"] === true)
    return typeof value === "string" || Number.isInteger(value)
      ? undefined
      : typeof value === "number"
        ? `must be a quantity: write it in quotes, "${value}"`
        : "must be a quantity such as 500m or 10Gi";
  if (schema.type === undefined) return undefined;
  const { holds, words } = TYPES[schema.type];
  if (holds(value)) return undefined;
  return schema.type === "string" && (typeof value === "number" || typeof value === "boolean")
    ? `must be a string: write it in quotes, "${String(value)}"`
    : `must be ${words}`;
};

const enumViolation = (schema: Schema, value: unknown): string | undefined => {
  if (schema.enum === undefined || typeof value !== "string" || schema.enum.includes(value)) return undefined;
  const meant = suggest(value, schema.enum);
  const choices = `must be one of ${schema.enum.join(", ")}`;
  return meant === undefined ? choices : `${choices}; did you mean ${meant}?`;
};

/** Beyond this, entries of a map are counted and no longer judged: a review holds hundreds of thousands, and each would be told. */
const MOST_JUDGED = 64;

const entriesViolation = ({ maxProperties }: Schema, value: unknown): string | undefined => {
  const count = maxProperties !== undefined && isRecord(value) ? Object.keys(value).length : 0;
  return count > MOST_JUDGED
    ? `must have at most ${maxProperties ?? ""} entries, it has ${count}`
    : undefined;
};

const boundViolation = (schema: Schema, value: unknown): string | undefined => {
  if (typeof value === "string" && value === "" && schema.minLength !== undefined)
    return "must not be empty: leave the field out for its default";
  if (typeof value === "string" && value.length > (schema.maxLength ?? Infinity))
    return `must be at most ${schema.maxLength} characters long, it has ${value.length}`;
  if (Array.isArray(value) && value.length > (schema.maxItems ?? Infinity))
    return `must have at most ${schema.maxItems} entries, it has ${value.length}`;
  return entriesViolation(schema, value);
};

/** Whether all items are texts, where nothing else is asked of them. Finalizers, of which a review can hold hundreds of thousands. */
const areTexts = (schema: Schema, items: readonly unknown[]): boolean =>
  schema === text && items.every((item) => typeof item === "string");

const soundArray = (schema: Schema, items: readonly unknown[], path: string): Sound => {
  const { items: itemSchema } = schema;
  if (itemSchema === undefined || areTexts(itemSchema, items)) return { value: items, violations: [] };
  const values: unknown[] = [];
  const violations: Violation[] = [];
  for (const [index, item] of items.entries()) {
    const found = soundPart(itemSchema, item, `${path}[${index}]`);
    values.push(found.value);
    violations.push(...found.violations);
    // Nobody reads more, and a list without a bound may have a hundred thousand.
    if (violations.length > MOST_JUDGED) break;
  }
  // A list is judged whole or not at all: leaving items out would shift the rest.
  return { value: violations.length === 0 ? values : undefined, violations };
};

/** What a required field is for: the first sentence of its description. */
const explained = (schema: Schema, key: string): string => {
  const description = schema.properties?.[key]?.description ?? "";
  return description === ""
    ? ""
    : `: ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/u, "")}`;
};

// Own properties alone: `constructor` is a name that a user may write.
const memberOf = ({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : additionalProperties;

const soundObject = (schema: Schema, value: Readonly<Record<string, unknown>>, path: string): Sound => {
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const missing = (schema.required ?? [])
    .filter((key) => value[key] === undefined || value[key] === null)
    .map((key) => ({ path: at(key), value: undefined, message: `is required${explained(schema, key)}` }));
  const found = Object.entries(value)
    // The API server drops a null before it looks for a default, so it means: not set.
    .filter(([, member]) => member !== undefined && member !== null)
    .map(([key, member]) => {
      const memberSchema = memberOf(schema, key);
      // Fields that the schema does not know are the API server's to refuse; a newer CRD may know more than this process.
      return [
        key,
        memberSchema === undefined
          ? { value: member, violations: [] }
          : soundPart(memberSchema, member, at(key)),
      ] as const;
    });
  const violations = [...missing, ...found.flatMap(([, member]) => member.violations)];
  const kept = found
    .filter(([, member]) => member.value !== undefined)
    .map(([key, member]) => [key, member.value]);
  return { value: missing.length > 0 ? undefined : Object.fromEntries(kept), violations };
};

const messageOf = (schema: Schema, value: unknown): string | undefined =>
  typeViolation(schema, value) ?? enumViolation(schema, value) ?? boundViolation(schema, value);

const soundPart = (schema: Schema, value: unknown, path: string): Sound => {
  const message = messageOf(schema, value);
  if (message !== undefined) return refused(path, value, message);
  if (Array.isArray(value)) return soundArray(schema, value, path);
  if (isRecord(value)) return soundObject(schema, value, path);
  return { value, violations: [] };
};

const fitsObject = (schema: Schema, value: Readonly<Record<string, unknown>>): boolean =>
  (schema.required ?? []).every((key) => Object.hasOwn(value, key)) &&
  Object.keys(value).every((key) => {
    const member = value[key];
    const memberSchema = memberOf(schema, key);
    return (
      member !== null && member !== undefined && (memberSchema === undefined || fits(memberSchema, member))
    );
  });

/** Whether a value has the schema's shape whole, so that nothing of it is left out: most have, and then nothing is copied. */
const fits = (schema: Schema, value: unknown): boolean => {
  if (messageOf(schema, value) !== undefined) return false;
  const { items } = schema;
  if (Array.isArray(value)) return items === undefined || value.every((item) => fits(items, item));
  return !isRecord(value) || fitsObject(schema, value);
};

const soundWhole = (schema: Schema, value: unknown, path: string): Sound =>
  fits(schema, value) ? { value, violations: [] } : soundPart(schema, value, path);

/** What a value has in another shape than a schema's: types, required fields, enum values, lengths. `path` is that of the value. */
export const shapeViolations = (schema: Schema, value: unknown, path: string): readonly Violation[] =>
  soundPart(schema, value, path).violations;

const { spec = {}, status = {} } = sampledbSchema.properties ?? {};
const judged: Schema = {
  type: "object",
  required: ["metadata"],
  properties: {
    metadata: {
      type: "object",
      properties: { name: text, generateName: text, finalizers: { type: "array", items: text } },
    },
    spec,
  },
};

// True by construction: every part without the schema's shape was left out.
const isSampleDB = (value: unknown): value is SampleDB => isRecord(value) && isRecord(value["metadata"]);

const isStatus = (value: unknown): value is SampleDBStatus => isRecord(value);

const readStatus = (given: unknown): SampleDBStatus | undefined => {
  const { value } = soundWhole(status, given, "status");
  return isStatus(value) ? value : undefined;
};

const NOTHING: SampleDB = { apiVersion: "sampledb.dev/v1", kind: "SampleDB", metadata: {} };

/**
 * Reads whatever was sent as a SampleDB: `sampledb` is the part of it that has the schema's shape (types, required fields, enum values,
 * lengths), `violations` says why the rest has not. Without violations `sampledb` equals the object, save for nulls.
 */
export const readStructure = (
  object: unknown,
): { readonly sampledb: SampleDB; readonly violations: readonly Violation[] } => {
  const { value, violations } = soundWhole(judged, object, "");
  if (!isSampleDB(value)) return { sampledb: NOTHING, violations };
  // Status is the functions' own, so a malformed one (sent by a user, ignored by the API server) is no violation.
  const { status: given, ...sampledb } = value;
  const kept = readStatus(given);
  return { sampledb: kept === undefined ? sampledb : { ...sampledb, status: kept }, violations };
};
