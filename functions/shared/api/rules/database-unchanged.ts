import { DEFAULTS } from "../defaults.ts";
import type { Rule } from "./rule.ts";

/** The database and its owner keep their names: applications and the data know them. */
export const databaseUnchanged: Rule = ({ sampledb, before }) =>
  (["name", "owner"] as const).flatMap((field) => {
    const value = sampledb.spec?.database?.[field];
    const earlier = before?.spec?.database?.[field] ?? DEFAULTS.database[field];
    if (before === undefined || (value ?? DEFAULTS.database[field]) === earlier) return [];
    return [
      {
        path: `spec.database.${field}`,
        value,
        message: `cannot be changed after creation: keep ${earlier}, or create a new SampleDB`,
      },
    ];
  });
