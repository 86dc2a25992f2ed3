import type { Catalog } from "../api/catalog.ts";
import { cut, violationText, violationsText } from "../api/violation.ts";
import type { Violation } from "../api/violation.ts";

/** What the API server asks: may this become (or stop being) an object? The part of AdmissionRequest (v1) that the functions read. */
export type AdmissionRequest = {
  readonly uid: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly subResource: string;
  readonly namespace: string;
  /** Empty while the API server has yet to make a name of metadata.generateName. */
  readonly name: string;
  readonly object: Readonly<Record<string, unknown>> | undefined;
  readonly oldObject: Readonly<Record<string, unknown>> | undefined;
};

/** One operation of a JSON Patch (RFC 6902). Admission only ever adds. */
export type Addition = { readonly op: "add"; readonly path: string; readonly value: unknown };

/** The admission answer. */
export type Verdict =
  | { readonly allowed: true; readonly patch?: readonly Addition[]; readonly warnings?: readonly string[] }
  | { readonly allowed: false; readonly violations: readonly Violation[] };

/** A function that judges reviews: pure, and without any right in the cluster. */
export type AdmissionFunction = {
  readonly name: string;
  readonly review: (request: AdmissionRequest, catalog: Catalog) => Verdict;
};

/** The request is no AdmissionReview (v1) of a SampleDB: the sender is misconfigured. The message says why, without the object. */
export class MalformedReview extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MalformedReview";
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const recordOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  isRecord(value) ? value : undefined;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

const parse = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    throw new MalformedReview("the body is not JSON");
  }
};

const objectsOf = (request: Readonly<Record<string, unknown>>, operation: string) => {
  const objects = { object: recordOf(request["object"]), oldObject: recordOf(request["oldObject"]) };
  if (objects.object === undefined && (operation === "CREATE" || operation === "UPDATE"))
    throw new MalformedReview(`request.object is missing on ${operation}`);
  if (objects.oldObject === undefined && operation === "UPDATE")
    throw new MalformedReview("request.oldObject is missing on UPDATE");
  return objects;
};

/** Reads the body of a call by the API server. Throws MalformedReview. */
export const readReview = (body: string): AdmissionRequest => {
  const review = parse(body);
  if (
    !isRecord(review) ||
    review["apiVersion"] !== "admission.k8s.io/v1" ||
    review["kind"] !== "AdmissionReview"
  )
    throw new MalformedReview("the body is no AdmissionReview of admission.k8s.io/v1");
  const request = recordOf(review["request"]);
  if (request === undefined) throw new MalformedReview("the AdmissionReview has no request");
  const uid = textOf(request["uid"]);
  if (uid === "") throw new MalformedReview("request.uid is missing");
  const kind = recordOf(request["kind"]);
  if (kind?.["group"] !== "sampledb.dev" || kind["kind"] !== "SampleDB")
    throw new MalformedReview(
      "request.kind is not SampleDB of sampledb.dev: this webhook judges nothing else",
    );
  const operation = OPERATIONS.find((known) => known === request["operation"]);
  if (operation === undefined)
    throw new MalformedReview("request.operation is none of CREATE, UPDATE, DELETE, CONNECT");
  return {
    uid,
    operation,
    subResource: textOf(request["subResource"]),
    namespace: textOf(request["namespace"]),
    name: textOf(request["name"]),
    ...objectsOf(request, operation),
  };
};

/** The Status of a denial: kubectl prints the causes one by one under "is invalid", other clients show the message. */
const denial = (
  request: AdmissionRequest,
  violations: readonly Violation[],
): Readonly<Record<string, unknown>> => ({
  status: "Failure",
  code: 422,
  reason: "Invalid",
  message: violationsText(violations),
  details: {
    group: "sampledb.dev",
    kind: "SampleDB",
    name: request.name,
    causes: violations.slice(0, 20).map((violation) => ({
      reason: "FieldValueInvalid",
      field: cut(violation.path),
      message: violationText({ ...violation, path: "" }).slice(2),
    })),
  },
});

/** The AdmissionReview that answers `request`: its uid, apiVersion and kind cannot get lost on the way. */
export const answerReview = (
  request: AdmissionRequest,
  verdict: Verdict,
): Readonly<Record<string, unknown>> => {
  const { uid } = request;
  const head = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
  if (!verdict.allowed)
    return { ...head, response: { uid, allowed: false, status: denial(request, verdict.violations) } };
  const { patch = [], warnings = [] } = verdict;
  return {
    ...head,
    response: {
      uid,
      allowed: true,
      ...(patch.length === 0
        ? {}
        : { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  };
};
