import { KNOWN_VERSIONS } from "./catalog.ts";
import { MAX_NAME_LENGTH } from "./child-names.ts";
import { DEFAULTS } from "./defaults.ts";
import { databaseSchema } from "./database-schema.ts";
import { effectiveInCel } from "./effective-in-cel.ts";
import { initSchema } from "./init-schema.ts";
import { RESERVED_SUFFIXES } from "./limits.ts";
import { DNS_LABEL, IMAGE, PINNED, taggedAfterPg, taggedAtBeginning } from "./patterns.ts";
import { resourcesSchema } from "./resources-schema.ts";
import type { Schema } from "./schema.ts";
import { statusSchema } from "./status-schema.ts";
import { storageSchema, storageTransitions } from "./storage-schema.ts";

const anyMajor = KNOWN_VERSIONS.join("|");

/** CEL for: the image's tag names spec.version as its major version, by one way of naming it. */
const namesVersion = (tagged: (major: string) => string): string => {
  const [before, after] = tagged("\n").split("\n");
  return `self.image.matches('${before}' + self.version + '${after}')`;
};

const imageSchema: Schema = {
  description: `Container image to run instead of the catalog's, e.g. "registry.example.com/postgres:17.5". It must follow the official PostgreSQL image's contract and name a tag other than latest, or a digest. May be changed at any time; the database restarts with the new image.`,
  type: "string",
  minLength: 1,
  maxLength: 500,
  "x-kubernetes-validations": [
    {
      rule: `self.matches('${IMAGE}')`,
      message: "must be an image reference such as registry.example.com/postgres:17.5",
    },
    {
      rule: `self.matches('${PINNED}') && !self.endsWith(':latest')`,
      message: "must name a tag other than latest, or a digest, so that a restart never changes what runs",
    },
  ],
};

const specSchema: Schema = {
  description:
    "What the database should be. Everything has a default: an empty spec is a complete PostgreSQL. A field that is left out on a later change keeps its value where data depends on it (version, storage, database, resources).",
  type: "object",
  default: {},
  properties: {
    version: {
      description: `PostgreSQL major version, in quotes: ${KNOWN_VERSIONS.map((version) => `"${version}"`).join(", ")}. Default: the default of the catalog at creation. Cannot be changed after creation.`,
      type: "string",
      enum: KNOWN_VERSIONS,
      maxLength: 2,
    },
    image: imageSchema,
    storage: storageSchema,
    database: databaseSchema,
    init: initSchema,
    resources: resourcesSchema,
    deletion: {
      description: "What happens to the data when this SampleDB is deleted.",
      type: "object",
      default: {},
      properties: {
        policy: {
          description:
            "Retain: the volume and both Secrets stay, and a later SampleDB of the same name takes them over. Wipe: everything is deleted for good.",
          type: "string",
          enum: ["Retain", "Wipe"],
          default: DEFAULTS.deletion.policy,
        },
        protection: {
          description:
            "true: this SampleDB cannot be deleted, by whatever way, until it is false again. Only the deletion of its namespace takes it along.",
          type: "boolean",
          default: DEFAULTS.deletion.protection,
        },
      },
    },
    paused: {
      description:
        "true: nothing is created or changed for this SampleDB until it is false again. A running database keeps running; deletion still works.",
      type: "boolean",
      default: false,
    },
  },
  "x-kubernetes-validations": [
    {
      rule: "!has(oldSelf.version) || (has(self.version) && self.version == oldSelf.version)",
      message: "cannot be changed after creation: major upgrades are not available yet",
      fieldPath: ".version",
    },
    {
      rule: `!has(self.image) || !has(self.version) || (self.image.matches('${taggedAfterPg(anyMajor)}') ? ${namesVersion(taggedAfterPg)} : !self.image.matches('${taggedAtBeginning(anyMajor)}') || ${namesVersion(taggedAtBeginning)})`,
      message: "the tag names another PostgreSQL major version than spec.version",
      fieldPath: ".image",
    },
    ...storageTransitions,
    ...(["name", "owner"] as const).map((field) => ({
      rule: ["self", "oldSelf"]
        .map((spec) => effectiveInCel(spec, ["database", field], DEFAULTS.database[field]))
        .join(" == "),
      message: `database.${field} cannot be changed after creation`,
      fieldPath: ".database",
    })),
  ],
};

/** The one definition of what a SampleDB may look like: the CRD is printed from it and the rules' structural check walks it. */
export const sampledbSchema: Schema = {
  description:
    "A PostgreSQL database: its server, its volume, its credentials and the Service to reach it. Applications bind to the Secret of the same name.",
  type: "object",
  properties: {
    apiVersion: { description: "Always sampledb.dev/v1.", type: "string" },
    kind: { description: "Always SampleDB.", type: "string" },
    metadata: { type: "object" },
    spec: specSchema,
    status: statusSchema,
  },
  "x-kubernetes-validations": [
    {
      rule: `self.metadata.name.size() <= ${MAX_NAME_LENGTH} && self.metadata.name.matches('${DNS_LABEL}')`,
      message: `metadata.name must be at most ${MAX_NAME_LENGTH} characters of a-z, 0-9 and -, begin with a letter and not end with -: a Service and a StatefulSet are named after it`,
    },
    {
      rule: RESERVED_SUFFIXES.map((suffix) => `!self.metadata.name.endsWith('${suffix}')`).join(" && "),
      message: `metadata.name must not end with ${RESERVED_SUFFIXES.join(" or ")}: objects of another SampleDB are named so`,
    },
    {
      rule: `!has(self.spec) || !has(self.spec.init) || self.spec.init.all(script, (!has(script.configMapKeyRef) || script.configMapKeyRef.name != self.metadata.name) && (!has(script.secretKeyRef) || !(script.secretKeyRef.name in [self.metadata.name, self.metadata.name + '-superuser'])))`,
      message:
        "init must not name this SampleDB's own ConfigMap or Secrets (those named like it, or with -superuser): they hold its settings and credentials, not SQL",
      fieldPath: ".spec.init",
    },
    {
      rule: "has(oldSelf.spec) && has(oldSelf.spec.version) || !has(self.spec) || !has(self.spec.version) || !has(oldSelf.status) || !has(oldSelf.status.version) || self.spec.version == oldSelf.status.version",
      message:
        "version must be that of the data, which status.version names: major upgrades are not available yet",
      fieldPath: ".spec.version",
    },
  ],
};
