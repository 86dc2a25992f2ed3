import type { Schema } from "./schema.ts";

/** A Kubernetes quantity: a string, or a whole number as in `cpu: 2`. */
export const quantitySchema = (description: string): Schema => ({
  description,
  anyOf: [{ type: "integer" }, { type: "string" }],
  maxLength: 32,
  "x-kubernetes-int-or-string": true,
});
