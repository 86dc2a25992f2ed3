import { DEFAULTS } from "./defaults.ts";
import { ABOVE_AMOUNTS, MIN_MEMORY, RESOURCE_NAMES } from "./limits.ts";
import { quantitySchema } from "./quantity-schema.ts";
import type { CelRule, Schema } from "./schema.ts";

const names = RESOURCE_NAMES.join(", ");

const namesAndAmounts: readonly CelRule[] = [
  {
    rule: `self.all(name, name in [${RESOURCE_NAMES.map((name) => `'${name}'`).join(", ")}])`,
    message: `only ${names} can be set`,
  },
  {
    rule: "self.all(name, isQuantity(string(self[name])) && quantity(string(self[name])).isGreaterThan(quantity('0')))",
    message: "every amount must be a quantity above 0, such as 500m or 1Gi",
  },
  {
    rule: `self.all(name, !isQuantity(string(self[name])) || quantity(string(self[name])).isLessThan(quantity('${ABOVE_AMOUNTS.text}')))`,
    message: `every amount must be below ${ABOVE_AMOUNTS.text}, which is more than Kubernetes can count`,
  },
  {
    rule: "self.all(name, name == 'cpu' || !string(self[name]).matches('^[+]?[0-9.]+[mun]$'))",
    message:
      "amounts of memory and ephemeral-storage must not be in fractions of a byte, for that is what the units m, u and n mean: write Mi or Gi",
  },
];

const amountsSchema = (description: string, rules: readonly CelRule[]): Schema => ({
  description,
  type: "object",
  maxProperties: RESOURCE_NAMES.length,
  additionalProperties: quantitySchema("Amount, such as 500m or 1Gi."),
  "x-kubernetes-validations": [...namesAndAmounts, ...rules],
});

const { requests, limits } = DEFAULTS.resources;

export const resourcesSchema: Schema = {
  description:
    "Compute resources of the database container. What is left out gets a default that fits what is set: a request above the default limit raises the limit, a limit below the default request lowers the request.",
  type: "object",
  properties: {
    requests: amountsSchema(
      `What the node keeps free for the database. Names: ${names}. Default: cpu ${requests.cpu}, memory ${requests.memory}.`,
      [],
    ),
    limits: amountsSchema(
      `What the database can use at most; memory at least ${MIN_MEMORY.text}. Names: ${names}. Default: cpu ${limits.cpu}, memory ${limits.memory}.`,
      [
        {
          rule: `!('memory' in self) || !isQuantity(string(self['memory'])) || quantity(string(self['memory'])).compareTo(quantity('${MIN_MEMORY.text}')) >= 0`,
          message: `memory must be at least ${MIN_MEMORY.text}: PostgreSQL does not start with less`,
        },
      ],
    ),
  },
  "x-kubernetes-validations": [
    {
      rule: "!has(self.requests) || !has(self.limits) || self.requests.all(name, !(name in self.limits) || !isQuantity(string(self.requests[name])) || !isQuantity(string(self.limits[name])) || quantity(string(self.requests[name])).compareTo(quantity(string(self.limits[name]))) <= 0)",
      message: "a request must not exceed its limit",
      fieldPath: ".requests",
    },
  ],
};
