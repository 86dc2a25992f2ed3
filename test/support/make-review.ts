import type { SampleDB } from "../../functions/shared/api/sampledb.ts";
import type { AdmissionRequest } from "../../functions/shared/serve/admission-review.ts";

/** A review of creating `object`, or of changing `oldObject` into it, as the API server sends it. */
export const makeReview = (object: SampleDB, oldObject?: SampleDB): Readonly<Record<string, unknown>> => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: {
    uid: "review-1",
    kind: { group: "sampledb.dev", version: "v1", kind: "SampleDB" },
    resource: { group: "sampledb.dev", version: "v1", resource: "sampledbs" },
    name: object.metadata.name ?? "",
    namespace: object.metadata.namespace ?? "shop",
    operation: oldObject === undefined ? "CREATE" : "UPDATE",
    userInfo: { username: "ada" },
    object,
    oldObject: oldObject ?? null,
    dryRun: false,
    options: null,
  },
});

/** What a function gets to see of such a review. */
export const makeAdmissionRequest = (object: SampleDB, oldObject?: SampleDB): AdmissionRequest => ({
  uid: "review-1",
  operation: oldObject === undefined ? "CREATE" : "UPDATE",
  subResource: "",
  namespace: "shop",
  name: object.metadata.name ?? "",
  object,
  oldObject,
});
