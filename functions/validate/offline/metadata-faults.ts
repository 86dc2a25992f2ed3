import { DNS_SUBDOMAIN } from "../../shared/api/patterns.ts";
import { shapeViolations } from "../../shared/api/structure.ts";
import type { Violation } from "../../shared/api/violation.ts";
import { isFields } from "./manifests-in.ts";
import { metadataSchema } from "./manifest-schema.ts";

const WORD = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/u;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/u;

const isKey = (key: string): boolean => {
  const [prefix, name, ...more] = key.includes("/") ? key.split("/") : [undefined, key];
  const isPrefixed =
    prefix === undefined || (prefix.length <= 253 && new RegExp(DNS_SUBDOMAIN, "u").test(prefix));
  return isPrefixed && WORD.test(name ?? "") && more.length === 0;
};

const keyFaults = (kind: "labels" | "annotations", given: unknown): readonly Violation[] =>
  Object.keys(isFields(given) ? given : {})
    .filter((key) => !isKey(key))
    .map((key) => ({
      path: `metadata.${kind}.${key}`,
      value: undefined,
      message:
        "its name must consist of at most 63 of A-Z, a-z, 0-9, -, _ and ., begin and end with a letter or digit; before it may stand a domain and /",
    }));

const labelFaults = (given: unknown): readonly Violation[] =>
  Object.entries(isFields(given) ? given : {})
    .filter(([, value]) => typeof value === "string" && value !== "" && !WORD.test(value))
    .map(([key, value]) => ({
      path: `metadata.labels.${key}`,
      value,
      message:
        "must consist of at most 63 of A-Z, a-z, 0-9, -, _ and ., and begin and end with a letter or digit",
    }));

const namespaceFaults = (given: unknown): readonly Violation[] =>
  typeof given !== "string" || given === "" || NAMESPACE.test(given)
    ? []
    : [
        {
          path: "metadata.namespace",
          value: given,
          message:
            "must be the name of a Namespace: at most 63 of a-z, 0-9 and -, and not begin or end with -",
        },
      ];

/** What is wrong with the metadata in ways that the API server itself refuses, before any function is asked. */
export const metadataFaults = (metadata: unknown): readonly Violation[] => {
  const { labels, annotations, namespace } = isFields(metadata) ? metadata : {};
  return [
    ...shapeViolations(metadataSchema, metadata ?? {}, "metadata"),
    ...namespaceFaults(namespace),
    ...keyFaults("labels", labels),
    ...labelFaults(labels),
    ...keyFaults("annotations", annotations),
  ];
};
