import { MAX_IDENTIFIER_LENGTH, RESERVED_DATABASES, RESERVED_OWNERS } from "../limits.ts";
import { IDENTIFIER } from "../patterns.ts";
import type { Rule } from "./rule.ts";

const RESERVED = { name: RESERVED_DATABASES, owner: RESERVED_OWNERS } as const;
const WHOSE = {
  name: "is a database of PostgreSQL itself",
  owner: "is a role that PostgreSQL or the operator uses itself",
} as const;

const fixed = (value: string): string | undefined => {
  const meant = value.toLowerCase().replaceAll(/[^a-z0-9_]+/gu, "_");
  return new RegExp(IDENTIFIER, "u").test(meant) ? meant : undefined;
};

const faultOf = (field: "name" | "owner", value: string): string | undefined => {
  if (!new RegExp(IDENTIFIER, "u").test(value)) {
    const meant = fixed(value);
    const rule = "must consist of a-z, 0-9 and _ and not begin with a digit";
    return meant === undefined ? rule : `${rule}; did you mean ${meant}?`;
  }
  if (value.startsWith("pg_")) return "must not begin with pg_: PostgreSQL keeps such names for itself";
  return RESERVED[field].some((taken) => taken === value)
    ? `${WHOSE[field]}: choose another name`
    : undefined;
};

/** Names of the database and its owner are identifiers that are free and never need quotes. */
export const databaseNames: Rule = ({ sampledb }) =>
  (["name", "owner"] as const).flatMap((field) => {
    const value = sampledb.spec?.database?.[field];
    // The schema's length limit says the rest.
    const message =
      value === undefined || value.length > MAX_IDENTIFIER_LENGTH ? undefined : faultOf(field, value);
    return message === undefined ? [] : [{ path: `spec.database.${field}`, value, message }];
  });
