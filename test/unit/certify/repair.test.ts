import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { before, describe, it } from "node:test";
import { certify } from "../../../functions/certify/certify.ts";
import { issueCa, issueLeaf } from "../../../functions/certify/issue-certificate.ts";
import type { PemPair } from "../../../functions/certify/key-pair.ts";
import { MemoryApi } from "./memory-api.ts";

const DAY = 86_400_000;
const NOW = new Date("2026-03-01T12:00:00Z");
const ago = (days: number): Date => new Date(NOW.getTime() - days * DAY);
const SECRETS = "/api/v1/namespaces/shop/secrets";
const CA = `${SECRETS}/sampledb-ca`;
const LEAF = `${SECRETS}/sampledb-admission-tls`;
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const MUTATING = `${REGISTRATION}/mutatingwebhookconfigurations/sampledb`;
const VALIDATING = `${REGISTRATION}/validatingwebhookconfigurations/sampledb`;

const tick = (api: MemoryApi): Promise<void> =>
  certify({
    api,
    probe: () => Promise.resolve(undefined),
    settings: { namespace: "shop", service: "admission", port: 443, readyTimeout: 300_000 },
    now: () => NOW,
    pause: () => Promise.resolve(),
    log: () => undefined,
  });

const base64 = (value: string): string => Buffer.from(value).toString("base64");

const text = (api: MemoryApi, path: string, key: string): string =>
  Buffer.from(api.objects.get(path)?.data?.[key] ?? "", "base64").toString();

const spoil = (api: MemoryApi, path: string, texts: Readonly<Record<string, string>>): void => {
  const data = Object.entries(texts).map(([key, value]) => [key, base64(value)]);
  const stored = api.objects.get(path);
  api.put(path, { ...stored, data: { ...stored?.data, ...Object.fromEntries(data) } });
};

const put = (api: MemoryApi, path: string, pair: PemPair): void =>
  spoil(api, path, { "tls.crt": pair.certificate, "tls.key": pair.key });

const withClient = (api: MemoryApi, path: string, client: object): void => {
  const stored = api.objects.get(path);
  const [webhook] = stored?.webhooks ?? [];
  api.put(path, { ...stored, webhooks: [{ ...webhook, clientConfig: client }] });
};

const bundleOf = (api: MemoryApi, path: string): string => {
  const client = api.objects.get(path)?.webhooks?.[0]?.["clientConfig"];
  assert.ok(typeof client === "object" && client !== null && "caBundle" in client && "service" in client);
  return Buffer.from(String(client.caBundle), "base64").toString();
};

/** Throws unless a call from the API server to admission would succeed. */
const assertRight = (api: MemoryApi): void => {
  const ca = new X509Certificate(text(api, CA, "tls.crt"));
  const leaf = new X509Certificate(text(api, LEAF, "tls.crt"));
  assert.ok(ca.checkPrivateKey(createPrivateKey(text(api, CA, "tls.key"))));
  assert.ok(leaf.checkPrivateKey(createPrivateKey(text(api, LEAF, "tls.key"))));
  assert.ok(leaf.checkIssued(ca) && leaf.verify(ca.publicKey));
  assert.equal(leaf.checkHost("admission.shop.svc"), "admission.shop.svc");
  for (const certificate of [ca, leaf])
    assert.ok(certificate.validFromDate <= NOW && NOW < certificate.validToDate);
  for (const path of [MUTATING, VALIDATING]) assert.equal(bundleOf(api, path), ca.toString());
};

describe("one tick of certify repairs", () => {
  let foreign: PemPair;
  let endedCa: PemPair;
  let endedLeaf: PemPair;
  before(async () => {
    foreign = await issueCa(NOW);
    endedCa = await issueCa(ago(5 * 365 + 1));
    endedLeaf = await issueLeaf(endedCa, ["admission.shop.svc"], ago(91));
  });
  const damages: readonly (readonly [title: string, damage: (api: MemoryApi) => void])[] = [
    ["an emptied caBundle", (api) => withClient(api, MUTATING, { caBundle: "" })],
    ["a caBundle that is nonsense", (api) => withClient(api, VALIDATING, { caBundle: "Z2FyYmFnZQ==" })],
    ["another CA's caBundle", (api) => withClient(api, MUTATING, { caBundle: base64(foreign.certificate) })],
    [
      "another CA beside its own",
      (api) => {
        const caBundle = base64(bundleOf(api, MUTATING) + foreign.certificate);
        withClient(api, MUTATING, { caBundle });
      },
    ],
    ["webhooks that lead elsewhere", (api) => withClient(api, MUTATING, { url: "https://example.com" })],
    ["a deleted configuration", (api) => api.objects.delete(VALIDATING)],
    ["both configurations deleted", (api) => [MUTATING, VALIDATING].map((path) => api.objects.delete(path))],
    ["a configuration without webhooks", (api) => api.put(MUTATING, {})],
    ["a deleted leaf", (api) => api.objects.delete(LEAF)],
    ["a deleted CA", (api) => api.objects.delete(CA)],
    ["both Secrets deleted", (api) => [CA, LEAF].map((path) => api.objects.delete(path))],
    ["everything deleted", (api) => [CA, LEAF, MUTATING, VALIDATING].map((path) => api.objects.delete(path))],
    ["a leaf that is nonsense", (api) => spoil(api, LEAF, { "tls.crt": "garbage", "tls.key": "\0" })],
    ["a leaf without data", (api) => api.put(LEAF, {})],
    ["a leaf with another key", (api) => spoil(api, LEAF, { "tls.key": foreign.key })],
    ["a leaf that is its CA", (api) => put(api, LEAF, foreign)],
    ["a leaf that has ended", (api) => put(api, LEAF, endedLeaf)],
    ["a CA that is nonsense", (api) => spoil(api, CA, { "tls.crt": "garbage" })],
    ["a CA with another key", (api) => spoil(api, CA, { "tls.key": foreign.key })],
    ["another CA in place of its own", (api) => put(api, CA, foreign)],
    ["a CA that has ended", (api) => put(api, CA, endedCa)],
    [
      "a CA and a leaf that have ended",
      (api) => {
        put(api, CA, endedCa);
        put(api, LEAF, endedLeaf);
      },
    ],
  ];
  for (const [title, damage] of damages) {
    it(title, async () => {
      const api = new MemoryApi();
      api.put("/apis/rbac.authorization.k8s.io/v1/clusterroles/sampledb-certify", {});
      await tick(api);
      assertRight(api);
      damage(api);
      assert.throws(() => assertRight(api), "the damage is one");
      await tick(api);
      assertRight(api);
      api.writes.length = 0;
      await tick(api);
      assert.deepEqual(api.writes, []);
    });
  }

  it("with a new key each time, never with an old one", async () => {
    const api = new MemoryApi();
    api.put("/apis/rbac.authorization.k8s.io/v1/clusterroles/sampledb-certify", {});
    const keys = new Set<string>();
    const publicKey = (path: string): string =>
      createPublicKey(text(api, path, "tls.key"))
        .export({ type: "spki", format: "pem" })
        .toString();
    for (let round = 0; round < 3; round += 1) {
      await tick(api);
      for (const path of [CA, LEAF]) {
        keys.add(publicKey(path));
        spoil(api, path, { "tls.crt": "" });
      }
    }
    assert.equal(keys.size, 6);
  });
});
