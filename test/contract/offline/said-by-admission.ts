import assert from "node:assert/strict";
import { type Operation, applyPatch } from "rfc6902";

/** What admission has to say of an object. */
export type Said = { readonly violations: readonly string[]; readonly warnings: readonly string[] };

type Answer = {
  readonly response: {
    readonly allowed: boolean;
    readonly patch?: string;
    readonly warnings?: readonly string[];
    readonly status?: { readonly message: string };
  };
};

const review = async (port: number, name: string, object: unknown): Promise<Answer["response"]> => {
  const request = {
    uid: "1",
    kind: { group: "sampledb.dev", version: "v1", kind: "SampleDB" },
    operation: "CREATE",
    object,
  };
  const response = await fetch(`http://127.0.0.1:${port}/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request }),
  });
  assert.equal(response.status, 200);
  const answer: Answer = JSON.parse(await response.text());
  return answer.response;
};

const patched = (object: unknown, patch: string): unknown => {
  const operations: Operation[] = JSON.parse(Buffer.from(patch, "base64").toString());
  const changed = structuredClone(object);
  applyPatch(changed, operations);
  return changed;
};

/** Creates an object as the API server would: asks mutate, carries out its patch, asks validate. */
export const saidByAdmission = async (port: number, object: unknown): Promise<Said> => {
  const first = await review(port, "mutate", object);
  const last = first.allowed ? await review(port, "validate", patched(object, first.patch ?? "W10=")) : first;
  return {
    violations: last.allowed ? [] : (last.status?.message ?? "").split("; "),
    warnings: first.allowed ? [...(first.warnings ?? []), ...(last.warnings ?? [])] : [],
  };
};
