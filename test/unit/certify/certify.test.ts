import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, it } from "node:test";
import type { Api } from "../../../functions/certify/api.ts";
import { certify } from "../../../functions/certify/certify.ts";
import type { Dependencies } from "../../../functions/certify/dependencies.ts";
import { mortalApi } from "../../support/mortal-api.ts";
import { MemoryApi } from "./memory-api.ts";

const SECRETS = "/api/v1/namespaces/shop/secrets";
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const MUTATING = `${REGISTRATION}/mutatingwebhookconfigurations/sampledb`;
const VALIDATING = `${REGISTRATION}/validatingwebhookconfigurations/sampledb`;
const BINDING = `${REGISTRATION}/validatingadmissionpolicybindings/sampledb-install`;
const ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles/sampledb-certify";
const INSTALL = [
  `create ${SECRETS}/sampledb-ca`,
  `create ${SECRETS}/sampledb-admission-tls`,
  `apply ${MUTATING}`,
  `apply ${VALIDATING}`,
  `remove ${BINDING}`,
];

/** Before and after the moment at which a CA of `runOn`'s clock is due. */
const [EARLY, LATE] = ["2030-02-28T11:30:00Z", "2030-02-28T12:30:00Z"] as const;
const clock = (time: string) => (): Date => new Date(time);

const installed = (): MemoryApi => {
  const api = new MemoryApi();
  api.put(ROLE, {});
  api.put(BINDING, {});
  return api;
};

/** A run on a clock that moves only while it waits. */
const runOn = async (api: MemoryApi, more: Partial<Dependencies> = {}): Promise<readonly string[]> => {
  let time = Date.parse("2026-03-01T12:00:00Z");
  const messages: string[] = [];
  await certify({
    api,
    probe: () => Promise.resolve(undefined),
    settings: { namespace: "shop", service: "admission", port: 443, readyTimeout: 300_000 },
    now: () => new Date(time),
    pause: (ms) => {
      time += ms;
      return Promise.resolve();
    },
    log: (message) => messages.push(message),
    ...more,
  });
  return messages;
};

const bundleOf = (api: MemoryApi, path: string): string => {
  const config = api.objects.get(path)?.webhooks?.[0]?.["clientConfig"];
  assert.ok(typeof config === "object" && config !== null && "caBundle" in config);
  return Buffer.from(String(config.caBundle), "base64").toString();
};

const certificateIn = (api: MemoryApi, name: string): X509Certificate =>
  new X509Certificate(Buffer.from(api.objects.get(`${SECRETS}/${name}`)?.data?.["tls.crt"] ?? "", "base64"));

describe("certify", () => {
  it("makes the Secrets, then both configurations, then ends the installation", async () => {
    const api = installed();
    await runOn(api);
    assert.deepEqual(api.writes, INSTALL);
  });

  it("puts into both configurations the CA that issued the leaf", async () => {
    const api = installed();
    await runOn(api);
    const leaf = certificateIn(api, "sampledb-admission-tls");
    for (const path of [MUTATING, VALIDATING])
      assert.ok(leaf.verify(new X509Certificate(bundleOf(api, path)).publicKey));
  });

  it("writes nothing when everything is right", async () => {
    const api = installed();
    await runOn(api);
    api.writes.length = 0;
    await runOn(api);
    assert.deepEqual(api.writes, []);
  });

  it("waits for admission, and for no longer than it may", async () => {
    const api = installed();
    let asked = 0;
    await runOn(api, { probe: () => Promise.resolve((asked += 1) < 20 ? "ECONNREFUSED" : undefined) });
    assert.equal(asked, 20);
    assert.deepEqual(api.writes, INSTALL);

    const never = installed();
    await assert.rejects(
      runOn(never, { probe: () => Promise.resolve("ECONNREFUSED") }),
      /300 s .*ECONNREFUSED/u,
    );
    assert.deepEqual(
      never.writes,
      INSTALL.slice(0, 2),
      "no webhook points at an admission that is not there",
    );
  });

  it("lets two runs at once end alike: one CA, a leaf of it, both configurations with it", async () => {
    const api = installed();
    await Promise.all([runOn(api), runOn(api), runOn(api)]);
    const ca = certificateIn(api, "sampledb-ca");
    assert.ok(certificateIn(api, "sampledb-admission-tls").verify(ca.publicKey));
    assert.equal(bundleOf(api, MUTATING), ca.toString());
    assert.equal(bundleOf(api, VALIDATING), ca.toString());
    assert.equal(api.writes.filter((write) => write.startsWith("create")).length, 2);
  });

  for (const [title, caBundle] of [
    ["an emptied", ""],
    ["a wrong", "Z2FyYmFnZQ=="],
  ] as const) {
    it(`repairs ${title} caBundle and touches nothing else`, async () => {
      const api = installed();
      await runOn(api);
      const good = bundleOf(api, VALIDATING);
      const [webhook] = api.objects.get(VALIDATING)?.webhooks ?? [];
      api.put(VALIDATING, {
        ...api.objects.get(VALIDATING),
        webhooks: [{ ...webhook, clientConfig: { caBundle } }],
      });
      api.writes.length = 0;
      await runOn(api);
      assert.deepEqual(api.writes, [`apply ${VALIDATING}`]);
      assert.equal(bundleOf(api, VALIDATING), good);
    });
  }

  it("puts back no older caBundle where another run renewed the CA meanwhile", async () => {
    const api = installed();
    await runOn(api);
    let isOvertaken = false;
    const slow: Api = {
      ...mortalApi(api, Infinity),
      apply: async (path, body) => {
        if (!isOvertaken) {
          isOvertaken = true;
          await runOn(api, { now: clock(LATE) });
        }
        await api.apply(path, body);
      },
    };
    const settings = { namespace: "shop", service: "admission", port: 8443, readyTimeout: 300_000 };
    const before = certificateIn(api, "sampledb-ca");
    await runOn(api, { api: slow, now: clock(EARLY), settings });
    const renewed = certificateIn(api, "sampledb-ca");
    assert.notEqual(renewed.fingerprint256, before.fingerprint256);
    for (const path of [MUTATING, VALIDATING])
      assert.equal(bundleOf(api, path), renewed.toString() + before.toString());
  });

  it("issues anew, in place, what was emptied", async () => {
    const api = installed();
    await runOn(api);
    for (const name of ["sampledb-ca", "sampledb-admission-tls"])
      api.put(`${SECRETS}/${name}`, { data: { "tls.crt": "", "tls.key": "", more: "Kg==" } });
    api.writes.length = 0;
    await runOn(api);
    assert.deepEqual(api.writes, [
      `merge ${SECRETS}/sampledb-ca`,
      `merge ${SECRETS}/sampledb-admission-tls`,
      `apply ${MUTATING}`,
      `apply ${VALIDATING}`,
    ]);
    const keys = Object.keys(api.objects.get(`${SECRETS}/sampledb-admission-tls`)?.data ?? {});
    assert.deepEqual(keys.toSorted(), ["ca.crt", "tls.crt", "tls.key"]);
  });

  it("says what to do when the role that owns the configurations is missing", async () => {
    const api = installed();
    api.objects.delete(ROLE);
    await assert.rejects(runOn(api), /ClusterRole sampledb-certify is missing.*apply the overlay again/u);
  });
});
