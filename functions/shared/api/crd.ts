import { sampledbSchema } from "./sampledb-schema.ts";

const readyColumn = (field: "status" | "reason"): string => `.status.conditions[?(@.type=="Ready")].${field}`;

/** The CustomResourceDefinition that manifests/crds is printed from. */
export const sampledbCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sampledbs.sampledb.dev" },
  spec: {
    group: "sampledb.dev",
    scope: "Namespaced",
    names: {
      kind: "SampleDB",
      listKind: "SampleDBList",
      plural: "sampledbs",
      singular: "sampledb",
      shortNames: ["sdb"],
      categories: ["all", "databases"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          {
            name: "Version",
            type: "string",
            description: "PostgreSQL major version",
            jsonPath: ".spec.version",
          },
          {
            name: "Ready",
            type: "string",
            description: "Whether the database answers",
            jsonPath: readyColumn("status"),
          },
          {
            name: "Reason",
            type: "string",
            description: "Why it is ready or not",
            jsonPath: readyColumn("reason"),
          },
          {
            name: "Endpoint",
            type: "string",
            description: "host:port inside the cluster",
            jsonPath: ".status.endpoint",
          },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
        schema: { openAPIV3Schema: sampledbSchema },
      },
    ],
  },
} as const;
