import { sampledbCrd } from "../../../functions/shared/api/crd.ts";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const DROPPED = new Set([
  "default",
  "x-kubernetes-validations",
  "enum",
  "minLength",
  "maxLength",
  "maxItems",
]);

/** A schema with types alone. Fields that are so called are not met: none is. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !DROPPED.has(key))
      .map(([key, member]) => [key, bare(member)]),
  );
};

/** SampleDB's CRD in another group, without any default or rule. */
export const bareCrd = (): object => {
  const { spec } = sampledbCrd;
  return {
    ...sampledbCrd,
    metadata: { name: "sampledbs.bare.example.com" },
    spec: {
      ...spec,
      group: "bare.example.com",
      names: { plural: "sampledbs", singular: "sampledb", kind: "SampleDB", listKind: "SampleDBList" },
      versions: spec.versions.map((version) => Object.assign({}, version, { schema: bare(version.schema) })),
    },
  };
};
