import type { Schema } from "../../shared/api/schema.ts";
import { suggest } from "../../shared/api/suggest.ts";
import type { Violation } from "../../shared/api/violation.ts";
import { isFields } from "./manifests-in.ts";

const within = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`);

/** Path of every field, without those of lists and maps. */
const pathsOf = (schema: Schema, path: string): readonly string[] => {
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    at: within(path, name),
    field,
  }));
  return [...own.map(({ at }) => at), ...own.flatMap(({ at, field }) => pathsOf(field, at))];
};

const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1);

/** A field of a similar name in the same place, else one of the same name elsewhere in the spec. */
const meant = (root: Schema, schema: Schema, path: string): string | undefined => {
  const name = lastName(path);
  const sibling = suggest(name, Object.keys(schema.properties ?? {}));
  if (sibling !== undefined) return `${path.slice(0, path.length - name.length)}${sibling}`;
  return pathsOf(root, "").find((other) => other.startsWith("spec") && lastName(other) === name);
};

const unknownField = (root: Schema, schema: Schema, path: string): Violation => {
  const other = meant(root, schema, path);
  const known = Object.keys(schema.properties ?? {}).join(", ");
  return {
    path,
    value: undefined,
    message: `is no field of a SampleDB; ${other === undefined ? `here may stand ${known}` : `did you mean ${other}?`}`,
  };
};

/**
 * Fields that the schema does not know, with what was probably meant. Only this command can say so: the API server drops or refuses
 * them before any function sees them.
 */
export const unknownFields = (root: Schema, value: unknown): readonly Violation[] => {
  const walk = (schema: Schema, part: unknown, path: string): readonly Violation[] => {
    if (Array.isArray(part)) {
      const { items } = schema;
      return items === undefined
        ? []
        : part.flatMap((item: unknown, index) => walk(items, item, `${path}[${index}]`));
    }
    const { properties } = schema;
    if (!isFields(part) || properties === undefined) return [];
    return Object.entries(part).flatMap(([name, member]) => {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const at = within(path, name);
      return field === undefined ? [unknownField(root, schema, at)] : walk(field, member, at);
    });
  };
  return walk(root, value, "");
};
