import { MAX_INIT_SCRIPTS } from "./limits.ts";
import { DATA_KEY, DNS_SUBDOMAIN } from "./patterns.ts";
import type { Schema } from "./schema.ts";

const keyRefSchema = (kind: "ConfigMap" | "Secret"): Schema => ({
  description: `A key of a ${kind} in this SampleDB's namespace whose value is SQL.`,
  type: "object",
  required: ["name", "key"],
  properties: {
    name: {
      description: `Name of the ${kind}.`,
      type: "string",
      minLength: 1,
      maxLength: 253,
      "x-kubernetes-validations": [
        { rule: `self.matches('${DNS_SUBDOMAIN}')`, message: `must be the name of a ${kind}` },
      ],
    },
    key: {
      description: `Key in the ${kind}, e.g. schema.sql.`,
      type: "string",
      minLength: 1,
      maxLength: 253,
      "x-kubernetes-validations": [
        {
          rule: `self.matches('${DATA_KEY}')`,
          message: `must be a key of a ${kind}: A-Z, a-z, 0-9, -, _ and .`,
        },
      ],
    },
  },
  "x-kubernetes-map-type": "atomic",
});

export const initSchema: Schema = {
  description: `SQL scripts that fill the new database, run once, in this order, as the owner role, each in one transaction. At most ${MAX_INIT_SCRIPTS}. One that fails can be corrected where it is and is tried again: at once where its ConfigMap or Secret carries the label sampledb.dev/database with this SampleDB's name, otherwise at the next sweep. Once all have run, changes here have no effect.`,
  type: "array",
  maxItems: MAX_INIT_SCRIPTS,
  items: {
    description: "One SQL script. Set exactly one of configMapKeyRef and secretKeyRef.",
    type: "object",
    properties: {
      configMapKeyRef: keyRefSchema("ConfigMap"),
      secretKeyRef: keyRefSchema("Secret"),
    },
    "x-kubernetes-validations": [
      {
        rule: "has(self.configMapKeyRef) != has(self.secretKeyRef)",
        message: "set exactly one of configMapKeyRef and secretKeyRef",
      },
    ],
  },
  "x-kubernetes-list-type": "atomic",
  "x-kubernetes-validations": [
    {
      rule: "self.all(script, self.exists_one(other, other == script))",
      message: "must not name the same script twice: each runs once",
    },
  ],
};
