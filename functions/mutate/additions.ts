import type { Addition } from "../shared/serve/admission-review.ts";

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field name as a JSON Pointer (RFC 6901) writes it. */
const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

const isPrefix = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.every((item, index) => item === after[index]);

/**
 * The JSON Patch that makes `after` of `before` where `after` only adds: fields that are missing (or null, which the API server takes
 * for missing) and entries at the end of lists. Nothing that is set can be named in it, so no user's value is ever changed;
 * that is why it is not left to a library's diff, which may also replace and remove.
 */
export const additions = (before: unknown, after: unknown, path = ""): readonly Addition[] => {
  if (before === undefined || before === null)
    return after === undefined ? [] : [{ op: "add", path, value: after }];
  if (Array.isArray(before) && Array.isArray(after) && isPrefix(before, after))
    return after.slice(before.length).map((value: unknown) => ({ op: "add", path: `${path}/-`, value }));
  if (!isFields(before) || !isFields(after)) return [];
  return Object.entries(after).flatMap(([name, value]) =>
    additions(before[name], value, `${path}/${escaped(name)}`),
  );
};
