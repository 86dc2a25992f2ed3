import { sampledbSchema } from "../../shared/api/sampledb-schema.ts";
import type { Schema } from "../../shared/api/schema.ts";

const text: Schema = { type: "string" };
const texts: Schema = { type: "object", additionalProperties: text };
const untouched: Schema = {};

/** Kubernetes' ObjectMeta, which no CRD may spell out. What the API server sets itself may stand in an exported object. */
export const metadataSchema: Schema = {
  type: "object",
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    labels: texts,
    annotations: texts,
    finalizers: { type: "array", items: text },
    ownerReferences: untouched,
    managedFields: untouched,
    uid: untouched,
    resourceVersion: untouched,
    generation: untouched,
    selfLink: untouched,
    creationTimestamp: untouched,
    deletionTimestamp: untouched,
    deletionGracePeriodSeconds: untouched,
  },
};

/** Every field that a SampleDB's manifest may have. */
export const manifestSchema: Schema = {
  type: "object",
  properties: { ...sampledbSchema.properties, metadata: metadataSchema },
};
