import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";

const FOLDER = resolve(import.meta.dirname, "../../fixtures/knative-crds");
const FILES = readdirSync(FOLDER).map((file) => resolve(FOLDER, file));
const LAX = "x-kubernetes-preserve-unknown-fields";

/** Of Knative's Go types, and not in its schemas (eventing, DeliverySpec). */
const UNTOLD: Readonly<Record<string, object>> = { delivery: { timeout: { type: "string" } } };

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Knative's schemas let any other word stand beside the fields that they have: here only those may, so that a misspelt one is found. */
const strict = (schema: unknown, name = ""): unknown => {
  if (Array.isArray(schema)) return schema.map((each) => strict(each));
  if (!isFields(schema)) return schema;
  const { properties, [LAX]: lax, ...others } = schema;
  const kept = Object.entries(others).map(([field, value]) => [field, strict(value, field)]);
  const known = isFields(properties) && {
    properties: {
      ...Object.fromEntries(
        Object.entries(properties).map(([field, value]) => [field, strict(value, field)]),
      ),
      ...UNTOLD[name],
    },
  };
  return {
    ...Object.fromEntries(kept),
    ...known,
    ...(properties === undefined && lax !== undefined && { [LAX]: lax }),
  };
};

/** Installs the schemas of Knative's kinds (copied from its repositories; no controller) and waits until the API server has them. */
export const installKnativeCrds = async (kubectl: Kubectl): Promise<void> => {
  const items = FILES.flatMap((file) => parseAllDocuments(readFileSync(file, "utf8")))
    .map((document): unknown => document.toJS())
    .filter((crd) => crd !== null);
  // An apply would write each schema a second time, into an annotation that is too small for it.
  await kubectl(
    ["create", "-f", "-"],
    JSON.stringify({ apiVersion: "v1", kind: "List", items: strict(items) }),
  );
  const files = FILES.flatMap((file) => ["-f", file]);
  await kubectl(["wait", "--for=condition=Established", "--timeout=300s", ...files]);
};
