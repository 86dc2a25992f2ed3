import { DEFAULTS } from "./defaults.ts";
import { MAX_IDENTIFIER_LENGTH, RESERVED_DATABASES, RESERVED_OWNERS } from "./limits.ts";
import { IDENTIFIER } from "./patterns.ts";
import type { Schema } from "./schema.ts";

const identifierSchema = (description: string, reserved: readonly string[]): Schema => ({
  description,
  type: "string",
  minLength: 1,
  maxLength: MAX_IDENTIFIER_LENGTH,
  "x-kubernetes-validations": [
    {
      rule: `self.matches('${IDENTIFIER}')`,
      message: "must consist of a-z, 0-9 and _ and not begin with a digit",
    },
    {
      rule: `!self.startsWith('pg_') && !(self in [${reserved.map((name) => `'${name}'`).join(", ")}])`,
      message: `must not be ${reserved.join(", ")} or begin with pg_: these names are PostgreSQL's or the operator's own`,
    },
  ],
});

export const databaseSchema: Schema = {
  description: "The database that is created for the application. Cannot be changed after creation.",
  type: "object",
  properties: {
    name: identifierSchema(
      `Name of the database: a-z, 0-9 and _, not beginning with a digit. Default: ${DEFAULTS.database.name}.`,
      RESERVED_DATABASES,
    ),
    owner: identifierSchema(
      `Role that owns the database and that applications log in as; its password is in the Secret named like the SampleDB. Default: ${DEFAULTS.database.owner}.`,
      RESERVED_OWNERS,
    ),
  },
};
