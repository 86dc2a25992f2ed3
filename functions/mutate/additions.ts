import type { Addition } from "../shared/serve/admission-review.ts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field name as a JSON Pointer (RFC 6901) writes it. */
const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** The entries that `after` has beyond those of `before`; none where it does not begin with these. */
const appended = (before: readonly unknown[], after: unknown, path: string): readonly Addition[] =>
  Array.isArray(after) && before.every((item, index) => item === after[index])
    ? after.slice(before.length).map((value: unknown) => ({ op: "add", path: `${path}/-`, value }))
    : [];

/** A field that is set; not what every object inherits, such as `constructor`. */
const own = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/**
 * The JSON Patch that makes `after` of `before` where `after` only adds: fields that are missing (or null, which the API server takes
 * for missing) and entries at the end of lists. Nothing that is set can be named in it, so no user's value is ever changed;
 * that is why it is not left to a library's diff, which may also replace and remove.
 */
export const additions = (before: unknown, after: unknown, path = ""): readonly Addition[] => {
  // What is untouched is not walked through: it may be large, and nested more deeply than the stack allows.
  if (before === after) return [];
  if (before === undefined || before === null)
    return after === undefined ? [] : [{ op: "add", path, value: after }];
  if (Array.isArray(before)) return appended(before, after, path);
  if (!isFields(before) || !isFields(after)) return [];
  return Object.entries(after).flatMap(([name, value]) =>
    additions(own(before, name), value, `${path}/${escaped(name)}`),
  );
};
