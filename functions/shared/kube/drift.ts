import { createHash } from "node:crypto";
import type { ObjectMeta } from "../api/sampledb.ts";
import { ANNOTATION } from "../api/markers.ts";
import { parseQuantity } from "../api/quantity.ts";
import type { Ref } from "./action.ts";
import type { Kind } from "./kinds.ts";

/** What every Kubernetes object has, typed by the client library or not. */
type WithMetadata = { readonly metadata?: ObjectMeta };

/** Fields whose strings are quantities: the API server rewrites them ("1000m" comes back as "1"). */
const QUANTITY_FIELDS = new Set(["limits", "requests", "storage", "sizeLimit", "capacity"]);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// The API server leaves empty maps and lists out of what it returns.
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.values(value).every((field) => field === undefined));

const isSameQuantity = (observed: unknown, desired: unknown): boolean => {
  const wanted = parseQuantity(String(desired));
  return wanted !== undefined && wanted === parseQuantity(String(observed));
};

/** Maps with one owner as a whole: a key that somebody added to a selector changes what it selects. */
const WHOLE_FIELDS = new Set(["selector", "matchLabels"]);

const hasMore = (observed: unknown, desired: unknown): boolean =>
  isRecord(observed) && isRecord(desired) && Object.keys(observed).length > Object.keys(desired).length;

const contains = (observed: unknown, desired: unknown, isQuantity: boolean): boolean => {
  if (observed === undefined && isEmpty(desired)) return true;
  if (Array.isArray(desired)) {
    return (
      Array.isArray(observed) &&
      observed.length === desired.length &&
      desired.every((item, index) => contains(observed[index], item, isQuantity))
    );
  }
  if (isRecord(desired)) {
    return (
      isRecord(observed) &&
      Object.entries(desired).every(
        ([field, value]) =>
          value === undefined ||
          (contains(observed[field], value, isQuantity || QUANTITY_FIELDS.has(field)) &&
            !(WHOLE_FIELDS.has(field) && hasMore(observed[field], value))),
      )
    );
  }
  return observed === desired || (isQuantity && isSameQuantity(observed, desired));
};

/** JSON with sorted fields, so that the same object always has the same text. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(",")}}`;
};

const withAnnotation = <T extends WithMetadata>(object: T, value: string | undefined): T => {
  const { [ANNOTATION.applied]: _, ...others } = object.metadata?.annotations ?? {};
  const annotations = value === undefined ? others : { ...others, [ANNOTATION.applied]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
};

const hashOf = (desired: WithMetadata): string =>
  createHash("sha256")
    .update(canonical(withAnnotation(desired, undefined)))
    .digest("hex")
    .slice(0, 16);

/** `desired` with the annotation `sampledb.dev/applied`: a hash of all its other fields. */
export const withAppliedHash = <T extends WithMetadata>(desired: T): T =>
  withAnnotation(desired, hashOf(desired));

/**
 * Whether `observed` has to be written again to be as `desired` says: it lacks something of it (arrays are compared index by
 * index and in length, quantities by value; what the API server or others added is ignored), or it was last applied from
 * another `desired`, so that a field that is no longer wanted may be there. `desired` may carry the hash annotation or not.
 * Do not pass a Secret's data: it is never overwritten.
 */
export const drifted = (observed: WithMetadata, desired: WithMetadata): boolean =>
  observed.metadata?.annotations?.[ANNOTATION.applied] !== hashOf(desired) ||
  !contains(observed, withAnnotation(desired, undefined), false);

/** The identity of an object as it was read. Throws where the API server's own fields are missing, which is a bug of the caller. */
export const refOf = (kind: Kind, object: WithMetadata): Ref => {
  const { namespace, name, uid, resourceVersion } = object.metadata ?? {};
  if (name === undefined || uid === undefined || resourceVersion === undefined) {
    throw new Error(
      `${kind} ${name ?? ""} was not read from the API server: it has no uid or resourceVersion`,
    );
  }
  return { kind, ...(namespace === undefined ? {} : { namespace }), name, uid, resourceVersion };
};
