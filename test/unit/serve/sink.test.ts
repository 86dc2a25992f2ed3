import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { concurrencyFrom, sinkUrls } from "../../../functions/shared/serve/sink.ts";

const hrefs = (env: NodeJS.ProcessEnv): readonly string[] => sinkUrls(env).map(({ href }) => href);

describe("sinkUrls", () => {
  it("prefers what Knative injects", () => {
    assert.deepEqual(hrefs({ K_SINK: "http://a.example.com", SINK: "http://b" }), ["http://a.example.com/"]);
  });
  it("takes SINK where Knative injects nothing, and says which of the two is wrong", () => {
    assert.deepEqual(hrefs({ K_SINK: "", SINK: "http://b" }), ["http://b/"]);
    assert.throws(
      () => sinkUrls({ K_SINK: "reconcile", SINK: "http://b" }),
      /^Error: K_SINK is "reconcile": /u,
    );
  });
  it("takes several addresses", () => {
    assert.deepEqual(hrefs({ SINK: "http://a, https://b/x?y" }), ["http://a/", "https://b/x?y"]);
  });
  for (const SINK of ["", "reconcile", "ftp://a", "http://a,"]) {
    it(`refuses ${JSON.stringify(SINK)} in one sentence`, () => {
      assert.throws(() => sinkUrls({ SINK }), /^Error: SINK is .*: it must be an http or https URL\.$/u);
    });
  }
  it("takes a function behind OpenFaaS' gateway", () => {
    const SINK = "http://gateway.openfaas:8080/function/sampledb-reconcile.openfaas-fn";
    assert.deepEqual(hrefs({ SINK }), [SINK]);
  });
  for (const path of [
    "/async-function/reconcile",
    "/async-function/reconcile/provision?a=b",
    "/openfaas/async-function/reconcile",
    "/function/../async-function/reconcile",
    "/%61sync-function/reconcile",
    "/a%2fasync-function%2freconcile",
    "/%zz/async-function/reconcile",
  ]) {
    for (const name of ["SINK", "K_SINK"])
      it(`refuses OpenFaaS' queue as ${name}: ${path}`, () => {
        assert.throws(
          () => sinkUrls({ [name]: `http://gateway.openfaas:8080${path}` }),
          /queue, which loses/u,
        );
      });
  }
  it("refuses a missing address", () => {
    assert.throws(() => sinkUrls({}), /SINK is not set/u);
  });
});

describe("concurrencyFrom", () => {
  it("is 8 where nothing is said", () => {
    assert.equal(concurrencyFrom({}), 8);
  });
  it("refuses what is no number from 1 on", () => {
    for (const CONCURRENCY of ["0", "x", "1.5", "-1"]) assert.throws(() => concurrencyFrom({ CONCURRENCY }));
  });
});
