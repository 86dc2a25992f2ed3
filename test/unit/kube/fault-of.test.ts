import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faultOf, isMissing } from "../../../functions/shared/kube/fault-of.ts";

const status = (reason: string, details?: object): string =>
  JSON.stringify({ kind: "Status", reason, message: `because ${reason}`, details });

describe("faultOf", () => {
  const cases = [
    { code: 500, reason: "InternalError", sort: "unavailable" },
    { code: 503, reason: "ServiceUnavailable", sort: "unavailable" },
    { code: 504, reason: "Timeout", sort: "unavailable" },
    { code: 429, reason: "TooManyRequests", sort: "unavailable" },
    { code: 401, reason: "Unauthorized", sort: "unavailable" },
    { code: 302, reason: "", sort: "unavailable" },
    { code: 409, reason: "Conflict", sort: "conflict" },
    { code: 400, reason: "BadRequest", sort: "refused" },
    { code: 403, reason: "Forbidden", sort: "refused" },
    { code: 410, reason: "Expired", sort: "refused" },
    { code: 422, reason: "Invalid", sort: "refused" },
  ] as const;
  for (const { code, reason, sort } of cases) {
    it(`sorts ${code} ${reason} as ${sort}`, () => {
      const fault = faultOf("GET /x", code, status(reason));
      assert.deepEqual([fault.sort, fault.code, fault.reason], [sort, code, reason]);
    });
  }
  it("does not take a webhook that fails for an API server that cannot be used", () => {
    const message =
      'Internal error occurred: failed calling webhook "pods.policy.example.com": connection refused';
    const body = JSON.stringify({ kind: "Status", reason: "InternalError", message });
    assert.equal(faultOf("POST /x", 500, body).sort, "refused");
  });
  for (const code of [409, 429, 500, 503]) {
    it(`takes a webhook's denial with its own code ${code} for a refused write`, () => {
      const message = 'admission webhook "pods.policy.example.com" denied the request: not now';
      const body = JSON.stringify({ kind: "Status", reason: "", message, code });
      assert.equal(faultOf("POST /x", code, body).sort, "refused");
    });
  }
  it("says what was called and why it failed", () => {
    assert.equal(faultOf("GET /x", 403, status("Forbidden")).message, "GET /x: 403 because Forbidden");
  });
  it("copes with a body that is not a Status", () => {
    assert.equal(faultOf("GET /x", 502, "<html>").message, "GET /x: 502 <html>");
  });
});

describe("isMissing", () => {
  it("is true for an object that does not exist", () => {
    assert.equal(isMissing(faultOf("GET /x", 404, status("NotFound", { name: "orders" }))), true);
  });
  it("is false for a kind that is not served", () => {
    assert.equal(isMissing(faultOf("GET /x", 404, "404 page not found")), false);
    assert.equal(isMissing(faultOf("GET /x", 404, status("NotFound", {}))), false);
  });
});
