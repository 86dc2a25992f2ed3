import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { mutate } from "../../functions/mutate/mutate.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import { listenForReviews } from "../../functions/shared/serve/admission-server.ts";
import type { AdmissionServer } from "../../functions/shared/serve/admission-server.ts";
import { validate } from "../../functions/validate/validate.ts";
import { makeReview } from "../support/make-review.ts";
import { makeSampleDB } from "../support/make-sampledb.ts";

let server: AdmissionServer;
before(async () => {
  const functions = [mutate, validate];
  server = await listenForReviews({ functions, catalog: () => BUILT_IN_CATALOG, port: 0 });
});
after(() => server.close());

type Answer = { readonly code: number; readonly type: string | null; readonly text: string };

const post = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  type = "application/json",
): Promise<Answer> => {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  return { code: response.status, type: response.headers.get("content-type"), text: await response.text() };
};

const sound = JSON.stringify(makeReview(makeSampleDB({ spec: { database: { name: "confidential" } } })));
const review = (request: object): string => {
  const whole = JSON.parse(sound);
  return JSON.stringify({ ...whole, request: { ...whole.request, ...request } });
};
const deep = (open: string, close: string): string => `${open.repeat(100_000)}1${close.repeat(100_000)}`;
const bytes = (...values: readonly number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...Buffer.from(sound.slice(0, 20)), ...values, ...Buffer.from(sound.slice(20))]);

const MALFORMED: readonly (readonly [title: string, body: string | Uint8Array<ArrayBuffer>, why: RegExp])[] =
  [
    ["nothing", "", /not JSON/u],
    ["a review that is cut short", sound.slice(0, -10), /not JSON/u],
    ["two reviews", sound + sound, /not JSON/u],
    ["a byte order mark", `\uFEFF${sound}`, /not JSON/u],
    ["bytes that are no UTF-8", bytes(0xff), /not UTF-8/u],
    ["half of a character", bytes(0xc3), /not UTF-8/u],
    ["UTF-16", Uint8Array.from(Buffer.from(sound, "utf16le")), /not (JSON|UTF-8)/u],
    ["null", "null", /no AdmissionReview/u],
    ["a number", "1", /no AdmissionReview/u],
    ["a list of reviews", `[${sound}]`, /no AdmissionReview/u],
    ["a list without end", deep("[", "]"), /no AdmissionReview/u],
    ["a review in a prototype", `{"__proto__":${sound}}`, /no AdmissionReview/u],
    ["a request in a prototype", sound.replace('"request":', '"__proto__":'), /no request/u],
    [
      "a uid in a prototype",
      sound.replace('"uid":"review-1"', '"__proto__":{"uid":"review-1"}'),
      /uid is missing/u,
    ],
    ["a uid that is no text", review({ uid: 1 }), /uid is missing/u],
    ["a request that is a list", JSON.stringify({ ...JSON.parse(sound), request: [] }), /no request/u],
    ["no kind", review({ kind: null }), /judges nothing else/u],
    [
      "a kind of another group",
      review({ kind: { group: "apps", kind: "SampleDB" } }),
      /judges nothing else/u,
    ],
    ["no operation", review({ operation: null }), /operation is none of/u],
    ["an object that is null", review({ object: null }), /object is missing/u],
    ["an object that is a list", review({ object: [] }), /object is missing/u],
    ["an object that is text", review({ object: "confidential" }), /object is missing/u],
    ["an update of nothing", review({ operation: "UPDATE" }), /oldObject is missing/u],
  ];

const withSpec = (text: string): string => sound.replace('"spec":{', `"spec":{${text},`);
const answerTo = async (request: object, path = "/mutate"): Promise<unknown> =>
  JSON.parse((await post(`${path}?timeout=10s`, review(request))).text);

describe("a malformed review", () => {
  for (const [title, body, why] of MALFORMED) {
    it(`that is ${title} is answered 400 with the reason, and nothing of the object`, async () => {
      const { code, type, text } = await post("/mutate", body);
      assert.deepEqual({ code, type }, { code: 400, type: "application/json" });
      const { error, ...rest }: { readonly error: string } = JSON.parse(text);
      assert.match(error, why);
      assert.deepEqual(rest, {});
      assert.doesNotMatch(text, /confidential|\.ts|\bat /u);
    });
  }

  for (const type of ["text/plain", "application/vnd.kubernetes.protobuf", "application/jsonp", ""])
    it(`of the content type "${type}" is answered 400`, async () => {
      const { code, text } = await post("/mutate", sound, type);
      assert.equal(code, 400);
      assert.match(text, /content type is not application\/json/u);
    });

  it("is one of no JSON type alone: a charset does no harm", async () => {
    assert.equal((await post("/mutate", sound, "application/json; charset=utf-8")).code, 200);
  });
});

describe("an object nobody expects", () => {
  for (const path of ["/mutate", "/validate"]) {
    it(`is judged by ${path} where it is nested without end`, async () => {
      for (const [text, message] of [
        [`"storage":${deep("[", "]")}`, /spec\.storage: .* must be an object with fields/u],
        [`"init":${deep("[", "]")}`, /spec\.init\[0\]: .* must be an object with fields/u],
        [`"resources":{"limits":{"cpu":${deep('{"a":', "}")}}}`, /spec\.resources\.limits\.cpu: /u],
      ] as const) {
        const answer = await post(path, withSpec(text));
        assert.equal(answer.code, 200);
        assert.match(answer.text, message);
        assert.ok(answer.text.length < 2000);
      }
    });

    it(`is let through by ${path} where it has unknown fields: they are the API server's to refuse`, async () => {
      for (const text of [`"other":${deep("[", "]")}`, '"__proto__":{"version":"9"}', '"constructor":1']) {
        const answer = await post(path, withSpec(text));
        assert.equal(answer.code, 200);
        assert.match(answer.text, /"allowed":true/u);
      }
    });
  }
});

describe("the answer to a review", () => {
  const head = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" };
  const wrong = { ...makeSampleDB(), spec: { version: "9" } };
  const allowed = { ...head, response: { uid: "review-1", allowed: true } };

  for (const path of ["/mutate", "/validate"]) {
    it(`of ${path} allows what is none of its business, and says nothing else`, async () => {
      for (const request of [
        { operation: "DELETE", object: null, oldObject: wrong },
        { operation: "CONNECT", object: null },
        { operation: "UPDATE", subResource: "status", object: wrong, oldObject: wrong },
        { operation: "UPDATE", subResource: "scale", object: wrong, oldObject: wrong },
        {
          operation: "UPDATE",
          object: { ...wrong, metadata: { name: "orders", deletionTimestamp: "2026-01-01T00:00:00Z" } },
          oldObject: wrong,
        },
      ])
        assert.deepEqual(await answerTo(request, path), allowed);
    });

    it(`of ${path} is the same in a dry run`, async () => {
      for (const object of [makeSampleDB(), wrong])
        assert.deepEqual(
          await answerTo({ object, dryRun: true }, path),
          await answerTo({ object, dryRun: false }, path),
        );
    });
  }

  it("denies with a Status of Kubernetes", async () => {
    const message = 'spec.version: "9": must be one of 15, 16, 17, 18';
    assert.deepEqual(await answerTo({ object: wrong }), {
      ...head,
      response: {
        uid: "review-1",
        allowed: false,
        status: {
          status: "Failure",
          code: 422,
          reason: "Invalid",
          message,
          details: {
            group: "sampledb.dev",
            kind: "SampleDB",
            name: "orders",
            causes: [
              {
                reason: "FieldValueInvalid",
                field: "spec.version",
                message: '"9": must be one of 15, 16, 17, 18',
              },
            ],
          },
        },
      },
    });
  });
});
