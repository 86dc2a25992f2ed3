import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { certify } from "../../../functions/certify/certify.ts";
import { settingsFrom } from "../../../functions/certify/settings.ts";
import { MemoryApi } from "./memory-api.ts";

const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const KINDS = ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"] as const;

/** Everything that the overlays of two releases put there for certify. */
const clusterOfTwo = (): MemoryApi => {
  const api = new MemoryApi();
  for (const suffix of ["", "-blue"]) {
    api.put(`${ROLES}/sampledb-certify${suffix}`, {});
    api.put(`${REGISTRATION}/validatingadmissionpolicybindings/sampledb-install${suffix}`, {});
  }
  return api;
};

const run = (api: MemoryApi, env: Readonly<Record<string, string>>): Promise<void> =>
  certify({
    api,
    probe: () => Promise.resolve(undefined),
    settings: settingsFrom({ POD_NAMESPACE: "databases", ...env }),
    now: () => new Date("2026-03-01T12:00:00Z"),
    pause: () => Promise.resolve(),
    log: () => undefined,
  });

const selectors = (api: MemoryApi, name: string): readonly unknown[] =>
  KINDS.map(
    (kind) => api.objects.get(`${REGISTRATION}/${kind}/${name}`)?.webhooks?.[0]?.["namespaceSelector"],
  );

const BLUE = { NAMESPACE_SELECTOR: "sampledb.dev/release=blue" };
const UNNAMED = { NAMESPACE_SELECTOR: "!sampledb.dev/release" };
const ANY_OTHER = { matchExpressions: [{ key: "sampledb.dev/release", operator: "DoesNotExist" }] };

describe("certify of one of several releases", () => {
  it("writes nothing cluster-wide that is another's, and each webhook is called for its own namespaces", async () => {
    const api = clusterOfTwo();
    await run(api, BLUE);
    const cluster = api.writes.filter((write) => !write.includes("/namespaces/"));
    assert.deepEqual(cluster, [
      ...KINDS.map((kind) => `apply ${REGISTRATION}/${kind}/sampledb-blue`),
      `remove ${REGISTRATION}/validatingadmissionpolicybindings/sampledb-install-blue`,
    ]);
    const matchLabels = { "sampledb.dev/release": "blue" };
    assert.deepEqual(selectors(api, "sampledb-blue"), [{ matchLabels }, { matchLabels }]);
    await run(api, UNNAMED);
    assert.deepEqual(selectors(api, "sampledb"), [ANY_OTHER, ANY_OTHER]);
    api.writes.length = 0;
    await run(api, BLUE);
    await run(api, UNNAMED);
    assert.deepEqual(api.writes, []);
  });

  it("gives its webhooks an owner of its own", async () => {
    const api = clusterOfTwo();
    await run(api, BLUE);
    const { metadata } = api.objects.get(`${REGISTRATION}/${KINDS[0]}/sampledb-blue`) ?? assert.fail();
    const { uid } = api.objects.get(`${ROLES}/sampledb-certify-blue`)?.metadata ?? assert.fail();
    assert.ok("ownerReferences" in metadata);
    assert.deepEqual(metadata.ownerReferences, [
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        name: "sampledb-certify-blue",
        uid,
      },
    ]);
  });

  it("lets the webhooks leave out namespaces once there is another release, and no longer when it is alone again", async () => {
    const api = clusterOfTwo();
    await run(api, {});
    assert.deepEqual(selectors(api, "sampledb"), [undefined, undefined]);
    await run(api, UNNAMED);
    assert.deepEqual(selectors(api, "sampledb"), [ANY_OTHER, ANY_OTHER]);
    await run(api, {});
    assert.deepEqual(selectors(api, "sampledb"), [undefined, undefined]);
  });

  it("leaves a selector that somebody else gave the webhooks of a release that is alone", async () => {
    const api = clusterOfTwo();
    await run(api, {});
    const path = `${REGISTRATION}/${KINDS[0]}/sampledb`;
    const stored = api.objects.get(path);
    const matchLabels = { team: "shop" };
    const webhooks = (stored?.webhooks ?? []).map((webhook) =>
      Object.assign({}, webhook, { namespaceSelector: { matchLabels } }),
    );
    api.put(path, { ...stored, webhooks });
    api.writes.length = 0;
    await run(api, {});
    assert.deepEqual(api.writes, []);
  });

  it("does not run where the selector is none", () => {
    assert.throws(
      () => settingsFrom({ POD_NAMESPACE: "databases", NAMESPACE_SELECTOR: "blue" }),
      /NAMESPACE_SELECTOR is "blue"/u,
    );
  });
});
