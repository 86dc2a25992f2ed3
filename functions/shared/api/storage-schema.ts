import { effectiveInCel } from "./effective-in-cel.ts";
import { DEFAULTS } from "./defaults.ts";
import { ABOVE_AMOUNTS, MIN_STORAGE } from "./limits.ts";
import { DNS_SUBDOMAIN } from "./patterns.ts";
import { quantitySchema } from "./quantity-schema.ts";
import type { CelRule, Schema } from "./schema.ts";

export const storageSchema: Schema = {
  description:
    "The volume that holds the data. It can grow where its class can; nothing else of it can be changed after creation.",
  type: "object",
  properties: {
    size: {
      ...quantitySchema(
        `Size of the volume, e.g. "10Gi"; at least ${MIN_STORAGE.text}. Default: ${DEFAULTS.storage.size}, enough to try things; set it for real data.`,
      ),
      "x-kubernetes-validations": [
        {
          rule: `isQuantity(string(self)) && quantity(string(self)).compareTo(quantity('${MIN_STORAGE.text}')) >= 0 && quantity(string(self)).isLessThan(quantity('${ABOVE_AMOUNTS.text}'))`,
          message: `must be a quantity of at least ${MIN_STORAGE.text} and below ${ABOVE_AMOUNTS.text}, such as 10Gi`,
        },
      ],
    },
    storageClassName: {
      description:
        "StorageClass of the volume (kubectl get storageclass lists them). Default: the cluster's default StorageClass.",
      type: "string",
      minLength: 1,
      maxLength: 253,
      "x-kubernetes-validations": [
        { rule: `self.matches('${DNS_SUBDOMAIN}')`, message: "must be the name of a StorageClass" },
      ],
    },
  },
};

// Optional access (?.) would do without effectiveInCel, but its estimated cost is beyond the API server's budget.
const size = (spec: string): string =>
  `quantity(string(${effectiveInCel(spec, ["storage", "size"], DEFAULTS.storage.size)}))`;

const storageClass = (spec: string): string => effectiveInCel(spec, ["storage", "storageClassName"], "");

/** Rules on the whole spec: what counts is the volume that comes of it, whether a default is written out or not. */
export const storageTransitions: readonly CelRule[] = [
  {
    rule: `${size("self")}.compareTo(${size("oldSelf")}) >= 0`,
    message: "storage.size cannot be lowered: a volume cannot shrink",
    fieldPath: ".storage",
  },
  {
    rule: `${storageClass("self")} == ${storageClass("oldSelf")}`,
    message: "storage.storageClassName cannot be changed after creation",
    fieldPath: ".storage",
  },
];
