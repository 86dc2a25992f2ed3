import { sampledbCrd } from "../../shared/api/crd.ts";
import { suggest } from "../../shared/api/suggest.ts";
import type { Violation } from "../../shared/api/violation.ts";
import { isFields } from "./manifests-in.ts";

const { group, names, versions } = sampledbCrd.spec;
const API_VERSIONS = versions.map(({ name }) => `${group}/${name}`);

/** Whether an object is for the SampleDB functions, and what is wrong with its kind or apiVersion. */
export type Recognised =
  | { readonly is: "other" }
  | { readonly is: "SampleDB" | "unknown kind"; readonly violations: readonly Violation[] };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const groupOf = (apiVersion: string): string | undefined =>
  apiVersion.includes("/") ? apiVersion.split("/")[0] : undefined;

const wrongKind = (kind: unknown): Violation => ({
  path: "kind",
  value: kind,
  message: `${kind === undefined ? "is required" : `is no kind of ${group}`}: it has ${names.kind}`,
});

const wrongVersion = (apiVersion: unknown): Violation => ({
  path: "apiVersion",
  value: apiVersion,
  message: `must be ${API_VERSIONS.join(" or ")}`,
});

/** Tells our objects from others. One of our kind that names a similar group or none is ours with a slip, one of another group is not. */
export const recognised = (object: unknown): Recognised => {
  if (!isFields(object)) return { is: "other" };
  const { kind, apiVersion } = object;
  const version = textOf(apiVersion);
  if (groupOf(version) === group) {
    const violations = API_VERSIONS.includes(version) ? [] : [wrongVersion(apiVersion)];
    return kind === names.kind
      ? { is: "SampleDB", violations }
      : { is: "unknown kind", violations: [wrongKind(kind), ...violations] };
  }
  const named = groupOf(version);
  const isMeant = named === undefined || suggest(named, [group]) !== undefined;
  if (textOf(kind).toLowerCase() !== names.singular || !isMeant) return { is: "other" };
  return {
    is: "SampleDB",
    violations: [wrongVersion(apiVersion), ...(kind === names.kind ? [] : [wrongKind(kind)])],
  };
};
