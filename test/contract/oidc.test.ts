import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, it } from "node:test";
import { callerCheck } from "../../functions/shared/serve/caller-check.ts";
import { functionApp } from "../../functions/shared/serve/function-app.ts";
import { listen } from "../../functions/shared/serve/listen.ts";
import { metrics } from "../../functions/shared/serve/metrics.ts";
import { captureLogs } from "../support/capture-logs.ts";
import { fakeApiServer } from "../support/fake-api-server.ts";
import type { FakeAnswer } from "../support/fake-api-server.ts";
import { fakeIssuer, SENDER } from "../support/fake-issuer.ts";
import type { FakeIssuer, TokenChanges } from "../support/fake-issuer.ts";
import { kubeconfigFor } from "../support/kubeconfig-for.ts";

const EVENT = {
  "ce-id": "1",
  "ce-specversion": "1.0",
  "ce-type": "t",
  "ce-source": "/s",
};
const DISCOVERY = "/.well-known/openid-configuration";
const KEYS = "/openid/v1/jwks";

/** A function that asks for tokens of the API server (a fake one), and counts what it was asked to do. */
const setUp = async (env: Readonly<Record<string, string>> = { OIDC_SUBJECTS: `${SENDER},other` }) => {
  const issuer = await fakeIssuer("https://kubernetes.default.svc.cluster.local");
  let isDown = false;
  const api = await fakeApiServer(({ path }): FakeAnswer => {
    if (isDown) return "cut";
    const { discovery, keys } = issuer.documents("https://192.0.2.1:6443/openid/v1/jwks");
    if (path === DISCOVERY) return { body: discovery };
    return path === KEYS
      ? { body: keys, headers: { "content-type": "application/jwk-set+json" } }
      : { status: 404 };
  });
  const kubeconfig = kubeconfigFor(api.url);
  let worked = 0;
  const app = functionApp({
    works: {
      "/": () => {
        worked += 1;
        return Promise.resolve({ status: 204, outcome: "settled" });
      },
    },
    isReady: () => true,
    metrics: metrics(),
    callers: callerCheck({ KUBECONFIG: kubeconfig.file, OIDC_AUDIENCE: "sampledb-functions", ...env }),
  });
  const server = await listen(createServer(app), 0);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    api,
    issuer,
    url,
    worked: () => worked,
    setDown: (to: boolean) => {
      isDown = to;
    },
    post: (authorization?: string) =>
      fetch(url, {
        method: "POST",
        headers: { ...EVENT, ...(authorization !== undefined && { authorization }) },
      }),
    reads: (path: string) => api.requests.filter((request) => request.path === path).length,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      kubeconfig[Symbol.dispose]();
      await api[Symbol.asyncDispose]();
    },
  };
};

const bearer = async (issuer: FakeIssuer, changes: TokenChanges = {}): Promise<string> =>
  `Bearer ${await issuer.token(changes)}`;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a function that asks for tokens", () => {
  it("works for a sender with a good token, at the cost of two reads at first and none later", async () => {
    await using t = await setUp();
    for (const _ of [1, 2, 3]) assert.equal((await t.post(await bearer(t.issuer))).status, 204);
    assert.equal(t.worked(), 3);
    assert.deepEqual(
      t.api.requests.map(({ path }) => path),
      [DISCOVERY, KEYS],
    );
    // Read as the pod's own account.
    assert.equal(t.api.requests[1]?.headers.authorization, "Bearer t");
  });

  const refused: readonly {
    readonly what: string;
    readonly token: (issuer: FakeIssuer) => Promise<string | undefined>;
  }[] = [
    { what: "no token", token: () => Promise.resolve(undefined) },
    { what: "another scheme", token: () => Promise.resolve("Basic dTpw") },
    { what: "no JWT", token: () => Promise.resolve("Bearer abc") },
    { what: "an empty token", token: () => Promise.resolve("Bearer ") },
    { what: "two tokens", token: async (issuer) => `${await bearer(issuer)} ${await issuer.token()}` },
    { what: "an expired token", token: (issuer) => bearer(issuer, { exp: -60 }) },
    { what: "a token that never expires", token: (issuer) => bearer(issuer, { exp: null }) },
    { what: "a token of the future", token: (issuer) => bearer(issuer, { nbf: 60 }) },
    { what: "a token for somebody else", token: (issuer) => bearer(issuer, { aud: "vault" }) },
    { what: "a token of another issuer", token: (issuer) => bearer(issuer, { iss: "https://example.com" }) },
    { what: "a token without a subject", token: (issuer) => bearer(issuer, { sub: null }) },
    { what: "another subject", token: (issuer) => bearer(issuer, { sub: `${SENDER}2` }) },
    { what: "an unknown key", token: (issuer) => bearer(issuer, { kid: "key-9" }) },
    {
      what: "another's signature under a known key's name",
      token: async ({ issuer }) => bearer(await fakeIssuer(issuer)),
    },
    {
      what: "a token without a signature",
      token: async (issuer) => {
        const [, claims] = (await issuer.token()).split(".");
        return `Bearer ${encoded({ alg: "none", kid: "key-1" })}.${claims}.`;
      },
    },
    {
      what: "a token whose claims were changed",
      token: async (issuer) => {
        const [header, , signature] = (await issuer.token({ sub: "mallory" })).split(".");
        const [, claims] = (await issuer.token()).split(".");
        return `Bearer ${header}.${claims}.${signature}`;
      },
    },
  ];
  for (const { what, token } of refused) {
    it(`answers 401 to ${what}, does nothing and logs no token`, async (context) => {
      await using t = await setUp();
      const authorization = await token(t.issuer);
      const logged = captureLogs(context);
      const answer = await t.post(authorization);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get("www-authenticate"), "Bearer");
      assert.equal(await answer.text(), "A valid bearer token is required.\n");
      assert.equal(t.worked(), 0);
      const text = JSON.stringify(logged());
      assert.match(text, /"message":"caller refused"/u);
      for (const part of (authorization ?? "").split(/[ .]/u).filter(({ length }) => length > 8))
        assert.ok(!text.includes(part));
    });
  }

  it("takes any subject where none is named", async () => {
    await using t = await setUp({});
    assert.equal((await t.post(await bearer(t.issuer, { sub: "anybody" }))).status, 204);
  });

  it("allows clocks to differ by half a minute", async () => {
    await using t = await setUp();
    assert.equal((await t.post(await bearer(t.issuer, { exp: -15 }))).status, 204);
    assert.equal((await t.post(await bearer(t.issuer, { nbf: 15 }))).status, 204);
  });

  it("leaves health, readiness and metrics open", async () => {
    await using t = await setUp();
    for (const path of ["/healthz", "/readyz", "/metrics"])
      assert.equal((await fetch(`${t.url}${path}`)).status, 200);
    await t.post();
    const text = await (await fetch(`${t.url}/metrics`)).text();
    assert.match(text, /sampledb_event_duration_seconds_count\{function="[^"]+",outcome="unauthorized"\} 1/u);
  });

  it("lets nobody in while the keys cannot be read, and asks for delivery again", async () => {
    await using t = await setUp();
    t.setDown(true);
    const answer = await t.post(await bearer(t.issuer));
    assert.equal(answer.status, 503);
    assert.equal(t.worked(), 0);
    // What is no token at all is known without keys.
    assert.equal((await t.post("Bearer abc def")).status, 401);
    t.setDown(false);
    assert.equal((await t.post(await bearer(t.issuer))).status, 204);
  });

  it("answers 503 when the keys cannot be read again", async (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
    await using t = await setUp();
    assert.equal((await t.post(await bearer(t.issuer))).status, 204);
    t.setDown(true);
    await t.issuer.rotate();
    context.mock.timers.tick(11_000);
    assert.equal((await t.post(await bearer(t.issuer))).status, 503);
  });

  it("follows the issuer's change of keys, and reads them at most every ten seconds however many unknown ones are named", async (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
    await using t = await setUp();
    assert.equal((await t.post(await bearer(t.issuer))).status, 204);
    await t.issuer.rotate();
    assert.equal((await t.post(await bearer(t.issuer))).status, 401);
    assert.equal(t.reads(KEYS), 1);
    context.mock.timers.tick(11_000);
    assert.equal((await t.post(await bearer(t.issuer))).status, 204);
    assert.equal(t.reads(KEYS), 2);
    const strangers = Array.from({ length: 20 }, async (_, nth) =>
      t.post(await bearer(t.issuer, { kid: `made-up-${nth}` })),
    );
    for (const answer of await Promise.all(strangers)) assert.equal(answer.status, 401);
    assert.equal(t.reads(KEYS), 2);
  });
});
