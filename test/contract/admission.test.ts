import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { mutate } from "../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import { listenForReviews } from "../../functions/shared/serve/admission-server.ts";
import type { AdmissionServer } from "../../functions/shared/serve/admission-server.ts";
import { validate } from "../../functions/validate/validate.ts";
import { makeReview } from "../support/make-review.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";

const broken = {
  name: "broken",
  review: () => {
    throw new Error("a bug that knows secret=hunter2");
  },
};

let server: AdmissionServer;
let url = "";
before(async () => {
  server = await listenForReviews({
    functions: [mutate, validate, broken],
    catalog: () => BUILT_IN_CATALOG,
    port: 0,
  });
  url = `http://127.0.0.1:${server.port}`;
});
after(() => server.close());

const JSON_TYPE = { "content-type": "application/json" };

type Review = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly patch?: string;
    readonly patchType?: string;
    readonly warnings?: readonly string[];
    readonly status?: {
      readonly code: number;
      readonly message: string;
      readonly details: { readonly causes: readonly unknown[] };
    };
  };
};

const isReview = (value: unknown): value is Review =>
  typeof value === "object" && value !== null && "response" in value;

const post = async (path: string, body: unknown): Promise<Review> => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  assert.ok(isReview(answer));
  return answer;
};

const refusal = async (
  path: string,
  body: string,
  method = "POST",
): Promise<{ readonly code: number; readonly text: string }> => {
  const response = await fetch(url + path, method === "GET" ? {} : { method, headers: JSON_TYPE, body });
  return { code: response.status, text: await response.text() };
};

const padded = (bytes: number): string =>
  JSON.stringify({ ...makeReview(makeSampleDB()), padding: "x".repeat(bytes) });

describe("admission over HTTP", () => {
  it("answers mutate with a patch that echoes the review's identity", async () => {
    const { apiVersion, kind, response } = await post("/mutate?timeout=10s", makeReview(makeSampleDB()));
    assert.deepEqual(
      { apiVersion, kind, uid: response.uid },
      { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", uid: "review-1" },
    );
    assert.equal(response.allowed, true);
    assert.equal(response.patchType, "JSONPatch");
    assert.match(
      Buffer.from(response.patch ?? "", "base64").toString(),
      /"path":"\/spec\/version","value":"17"/u,
    );
  });

  it("sends neither patch nor patchType where nothing is missing, and never from validate", async () => {
    const spec = {
      version: "17",
      storage: { size: "1Gi" },
      database: { name: "app", owner: "app" },
      resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } },
    };
    assert.deepEqual((await post("/mutate", makeReview(makeSampleDB({ spec })))).response, {
      uid: "review-1",
      allowed: true,
    });
    assert.deepEqual((await post("/validate", makeReview(makeSampleDB()))).response, {
      uid: "review-1",
      allowed: true,
    });
  });

  it("denies with every violation as a cause", async () => {
    const { response } = await post(
      "/validate",
      makeReview(makeSampleDB({ spec: { image: "postgres", storage: { size: "1" } } })),
    );
    assert.equal(response.allowed, false);
    assert.equal(response.status?.code, 422);
    assert.match(response.status?.message ?? "", /^spec\.image: "postgres": .*; spec\.storage\.size: "1": /u);
    assert.equal(response.status?.details.causes.length, 2);
  });

  it("carries warnings", async () => {
    const { response } = await post(
      "/validate",
      makeReview(makeSampleDB({ spec: { deletion: { policy: "Wipe" } } })),
    );
    assert.match(response.warnings?.join() ?? "", /deletes the data for good/u);
  });

  const review = makeReview(makeSampleDB());
  const request = Object.fromEntries(
    Object.entries(
      typeof review["request"] === "object" && review["request"] !== null ? review["request"] : {},
    ),
  );
  const malformed: readonly (readonly [string, string, RegExp])[] = [
    ["no JSON", "{", /not JSON/u],
    ["no review", "[]", /no AdmissionReview/u],
    [
      "a review of the old version",
      JSON.stringify({ ...review, apiVersion: "admission.k8s.io/v1beta1" }),
      /no AdmissionReview of admission\.k8s\.io\/v1/u,
    ],
    ["a review without a request", JSON.stringify({ ...review, request: undefined }), /no request/u],
    [
      "a review without uid",
      JSON.stringify({ ...review, request: { ...request, uid: "" } }),
      /uid is missing/u,
    ],
    [
      "a review of another kind",
      JSON.stringify({ ...review, request: { ...request, kind: { group: "", kind: "Pod" } } }),
      /judges nothing else/u,
    ],
    [
      "an unknown operation",
      JSON.stringify({ ...review, request: { ...request, operation: "LOOK" } }),
      /operation is none of/u,
    ],
    [
      "a creation without object",
      JSON.stringify({ ...review, request: { ...request, object: null } }),
      /object is missing on CREATE/u,
    ],
    [
      "an update without oldObject",
      JSON.stringify({ ...review, request: { ...request, operation: "UPDATE" } }),
      /oldObject is missing on UPDATE/u,
    ],
  ];
  for (const [title, body, message] of malformed) {
    it(`answers 400 with the reason to ${title}`, async () => {
      const { code, text } = await refusal("/mutate", body);
      assert.equal(code, 400);
      assert.match(text, message);
      assert.doesNotMatch(text, /orders|at .*\.ts/u);
    });
  }

  it("answers 500 without the cause to a bug of its own", async () => {
    const { code, text } = await refusal("/broken", JSON.stringify(review));
    assert.equal(code, 500);
    assert.doesNotMatch(text, /hunter2/u);
  });

  it("answers 405 to other methods and 400 elsewhere, which no sender takes for a reason to try again", async () => {
    assert.equal((await refusal("/mutate", "", "GET")).code, 405);
    assert.equal((await refusal("/healthz", "")).code, 405);
    assert.equal((await refusal("/", "{}")).code, 400);
  });

  it("repeats of a name as long as a book only its beginning", async () => {
    const limits = { ["x".repeat(2 ** 20)]: "1" };
    const { code, text } = await refusal(
      "/mutate",
      JSON.stringify(makeReview(makeSampleDB({ spec: { resources: { limits } } }))),
    );
    assert.equal(code, 200);
    assert.ok(text.length < 2000, `${text.length}`);
  });

  it("answers 400 to an address that is none, and goes on", async () => {
    for (const path of ["//", "http://["]) {
      const socket = connect(server.port, "127.0.0.1");
      socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n`);
      const [chunk] = await once(socket, "data");
      socket.destroy();
      assert.match(String(chunk), /^HTTP\/1\.1 400 /u);
    }
    assert.equal((await refusal("/healthz", "", "GET")).code, 200);
  });

  it("takes 8 MiB and refuses more", async () => {
    assert.equal((await refusal("/mutate", padded(8 * 2 ** 20 - 10_000))).code, 200);
    assert.equal((await refusal("/mutate", padded(8 * 2 ** 20))).code, 413);
  });

  it("answers before the caller's timeout even when the review does not arrive", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write("POST /mutate?timeout=200ms HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n{");
    const [chunk] = await once(socket, "data");
    socket.destroy();
    assert.match(String(chunk), /^HTTP\/1\.1 503 [\s\S]*did not arrive/u);
  });

  it("serves health, readiness and metrics", async () => {
    assert.equal((await refusal("/healthz", "", "GET")).code, 200);
    assert.equal((await refusal("/readyz", "", "GET")).code, 200);
    assert.equal((await fetch(`${url}/readyz`, { method: "OPTIONS" })).status, 200);
    const { text } = await refusal("/metrics", "", "GET");
    assert.match(text, /^sampledb_admission_reviews_total\{function="mutate",outcome="allowed"\} \d+$/mu);
    assert.match(text, /^sampledb_admission_reviews_total\{function="validate",outcome="denied"\} \d+$/mu);
  });

  it("serves a function that runs alone at / too", async () => {
    const alone = await listenForReviews({ functions: [validate], catalog: () => BUILT_IN_CATALOG, port: 0 });
    for (const path of ["/", "/validate"]) {
      const response = await fetch(`http://127.0.0.1:${alone.port}${path}`, {
        method: "POST",
        headers: JSON_TYPE,
        body: JSON.stringify(review),
      });
      assert.equal(response.status, 200);
      await response.text();
    }
    await alone.close();
  });
});
