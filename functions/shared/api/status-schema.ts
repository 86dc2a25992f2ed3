import type { Schema } from "./schema.ts";

const conditionSchema: Schema = {
  description: "One aspect of the SampleDB's state.",
  type: "object",
  required: ["type", "status", "reason", "message", "lastTransitionTime"],
  properties: {
    type: {
      description:
        "Ready: the database answers. Reconciling: work is under way. Stalled: you must act. Others: one concern each.",
      type: "string",
      maxLength: 316,
    },
    status: { description: "True, False or Unknown.", type: "string", enum: ["True", "False", "Unknown"] },
    reason: {
      description: "The cause in one word; stable, so scripts may rely on it.",
      type: "string",
      maxLength: 1024,
    },
    message: {
      description: "The cause in a sentence, and what to do where you must act.",
      type: "string",
      maxLength: 32_768,
    },
    observedGeneration: {
      description: "metadata.generation that this was said of.",
      type: "integer",
      format: "int64",
      minimum: 0,
    },
    lastTransitionTime: { description: "When status last changed.", type: "string", format: "date-time" },
  },
};

export const statusSchema: Schema = {
  description:
    "What the database is. Written by the function report; derived from the cluster, so it may be lost without harm.",
  type: "object",
  properties: {
    observedGeneration: {
      description: "metadata.generation that this status was derived from.",
      type: "integer",
      format: "int64",
      minimum: 0,
    },
    conditions: {
      description: "Wait for the database with: kubectl wait sampledb/NAME --for=condition=Ready",
      type: "array",
      maxItems: 32,
      items: conditionSchema,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
    },
    binding: {
      description:
        "The Secret that an application binds to (Service Binding specification, provisioned service).",
      type: "object",
      required: ["name"],
      properties: {
        name: { description: "Name of the Secret, in this namespace.", type: "string", maxLength: 253 },
      },
    },
    version: { description: "PostgreSQL major version of the data.", type: "string", maxLength: 2 },
    endpoint: {
      description: "Where the database listens, as host:port, inside the cluster.",
      type: "string",
      maxLength: 300,
    },
    storage: {
      description: "The volume that holds the data.",
      type: "object",
      required: ["claim"],
      properties: {
        claim: { description: "Name of the PersistentVolumeClaim.", type: "string", maxLength: 253 },
        capacity: { description: "Size of the volume as it is.", type: "string", maxLength: 32 },
        storageClassName: {
          description: "StorageClass of the volume, also where spec names none.",
          type: "string",
          maxLength: 253,
        },
      },
    },
  },
};
