/** The part of Kubernetes' structural schemas (OpenAPI v3) that SampleDB's schema uses. */
export type Schema = {
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly "x-kubernetes-int-or-string"?: true;
  readonly "x-kubernetes-list-type"?: "atomic" | "map" | "set";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-validations"?: readonly CelRule[];
};

/** A rule that the API server itself judges. It stands a second time in rules/, with a message that knows the values. */
export type CelRule = {
  readonly rule: string;
  readonly message: string;
  /** Field, relative to the schema that carries the rule, that the API server blames. */
  readonly fieldPath?: string;
  readonly reason?: "FieldValueInvalid" | "FieldValueForbidden" | "FieldValueDuplicate";
};
