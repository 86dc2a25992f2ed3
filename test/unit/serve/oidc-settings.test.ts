import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callerCheck } from "../../../functions/shared/serve/caller-check.ts";
import { oidcSettings } from "../../../functions/shared/serve/oidc-settings.ts";

describe("the settings of the check of tokens", () => {
  it("are off where nothing is set: anybody may call", () => {
    assert.equal(oidcSettings({}), undefined);
    assert.equal(callerCheck({}), undefined);
  });
  it("name an audience, the API server as issuer, and anybody as subject", () => {
    assert.deepEqual(oidcSettings({ OIDC_AUDIENCE: "a" }), {
      audience: "a",
      issuer: undefined,
      subjects: new Set(),
    });
  });
  it("name another issuer and several subjects", () => {
    const env = { OIDC_AUDIENCE: "a", OIDC_ISSUER: "https://example.com/x", OIDC_SUBJECTS: "b, c,," };
    assert.deepEqual(oidcSettings(env), {
      audience: "a",
      issuer: "https://example.com/x",
      subjects: new Set(["b", "c"]),
    });
  });
  for (const issuer of ["http://example.com", "example.com"]) {
    it(`refuse ${issuer} as issuer in one sentence`, () => {
      assert.throws(
        () => oidcSettings({ OIDC_AUDIENCE: "a", OIDC_ISSUER: issuer }),
        /^Error: OIDC_ISSUER is ".*": it must be an https URL\.$/u,
      );
    });
  }
  for (const env of [{ OIDC_SUBJECTS: "b" }, { OIDC_ISSUER: "https://example.com" }]) {
    it(`refuse ${Object.keys(env).join("")} alone, which would check nothing`, () => {
      assert.throws(() => oidcSettings(env), /without OIDC_AUDIENCE/u);
    });
  }
});
