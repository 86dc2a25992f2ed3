import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { keysOf } from "../../../functions/shared/api/keys-of.ts";
import { oidcSettings } from "../../../functions/shared/serve/oidc-settings.ts";
import type { OidcSettings } from "../../../functions/shared/serve/oidc-settings.ts";
import {
  apiServerSources,
  containerOf,
  containerSourceOf,
  knativeServices,
  objectOf,
  pingSources,
  valuesOf,
} from "../../support/knative/knative-objects.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";

const SYSTEM = "sampledb-system";

/** The account that Knative makes for a source (eventing, pkg/auth/serviceaccount.go); it cuts and hashes what is longer than 63. */
const accountOf = (kind: string, name: string): string => {
  const account = `${name}-oidc-sources.knative.dev-${kind}`.toLowerCase();
  assert.ok(account.length <= 63, account);
  return account;
};

const subjects = (...accounts: readonly string[]): readonly string[] =>
  accounts.map((account) => `system:serviceaccount:${SYSTEM}:${account}`).toSorted();

const settingsOf = (objects: readonly KubeObject[], name: string): OidcSettings => {
  const service = knativeServices(objects).find(({ metadata }) => metadata.name === name);
  assert.ok(service !== undefined, name);
  const settings = oidcSettings(valuesOf(containerOf(service)));
  assert.ok(settings !== undefined, name);
  return settings;
};

/** What mounts a token of the pod's own account, for `audience`. */
const tokenVolume = (audience: string): object => ({
  name: "event-token",
  projected: { sources: [{ serviceAccountToken: { audience, expirationSeconds: 3600, path: "token" } }] },
});

describe("the components of events on Knative", () => {
  let kubectl: Kubectl;
  const rendered = async (...components: readonly string[]): Promise<readonly KubeObject[]> =>
    objectsIn(await renderComponents(kubectl, "overlays/knative", components));

  before(async () => {
    kubectl = await offlineKubectl();
  });

  it("snapshots: labelled VolumeSnapshots by a source of their own, whose account may read them and nothing else", async () => {
    const objects = await rendered("snapshots");
    const source = apiServerSources(objects).find(({ metadata }) => metadata.name === "sampledb-snapshots");
    assert.ok(source !== undefined);
    const { spec } = source;
    const selector = { matchExpressions: [{ key: LABEL.database, operator: "Exists" }] };
    assert.deepEqual(spec.resources, [
      { apiVersion: "snapshot.storage.k8s.io/v1", kind: "VolumeSnapshot", selector },
    ]);
    assert.deepEqual(
      [spec.mode, spec.serviceAccountName, spec.sink.ref.name],
      ["Resource", "knative-snapshots", "reconcile"],
    );
    assert.deepEqual(objectOf(objects, "ClusterRole", "sampledb-knative-snapshots")["rules"], [
      {
        apiGroups: ["snapshot.storage.k8s.io"],
        resources: ["volumesnapshots"],
        verbs: ["get", "list", "watch"],
      },
    ]);
    assert.deepEqual(objectOf(objects, "ClusterRoleBinding", "sampledb-knative-snapshots")["subjects"], [
      { kind: "ServiceAccount", name: "knative-snapshots", namespace: SYSTEM },
    ]);
  });

  it("snapshots: such an event is about the SampleDB that the snapshot's label names", () => {
    const metadata = { namespace: "shop", name: "before-upgrade", labels: { [LABEL.database]: "orders" } };
    const hint = { kind: "VolumeSnapshot", namespace: "shop", name: "before-upgrade" };
    assert.deepEqual(keysOf({ ...hint, data: { kind: "VolumeSnapshot", metadata } }), [
      { namespace: "shop", name: "orders" },
    ]);
  });

  it("oidc: each of Knative's sources sends a token for these functions, of an account that its sink takes", async () => {
    const objects = await rendered("snapshots", "oidc");
    for (const [kind, sources] of [
      ["ApiServerSource", apiServerSources(objects)],
      ["PingSource", pingSources(objects)],
    ] as const)
      for (const { metadata, spec } of sources) {
        const settings = settingsOf(objects, spec.sink.ref.name);
        assert.equal(spec.sink.audience, settings.audience, metadata.name);
        const [subject = ""] = subjects(accountOf(kind, metadata.name));
        assert.ok(settings.subjects.has(subject), subject);
      }
  });

  it("oidc: nobody else's tokens are taken, nor one for something else", async () => {
    const objects = await rendered("oidc");
    const taken = Object.fromEntries(
      ["reconcile", "resync", "certify"].map((name) => [
        name,
        [...settingsOf(objects, name).subjects].toSorted(),
      ]),
    );
    assert.deepEqual(taken, {
      reconcile: subjects(
        accountOf("ApiServerSource", "sampledb-objects"),
        accountOf("ApiServerSource", "sampledb-references"),
        accountOf("ApiServerSource", "sampledb-snapshots"),
        "source",
        "resync",
      ),
      resync: subjects(accountOf("PingSource", "sampledb-resync")),
      certify: subjects(accountOf("PingSource", "sampledb-certify")),
    });
    const admission = knativeServices(objects).find(({ metadata }) => metadata.name === "admission");
    assert.ok(admission !== undefined);
    assert.ok(!("OIDC_AUDIENCE" in valuesOf(containerOf(admission))));
  });

  it("oidc: resync and source send the tokens of their own accounts, from the file that is mounted", async () => {
    const objects = await rendered("container-source", "oidc");
    const { audience, subjects: accepted } = settingsOf(objects, "reconcile");
    const resync = knativeServices(objects).find(({ metadata }) => metadata.name === "resync");
    assert.ok(resync !== undefined);
    const source = objectOf(objects, "ContainerSource", "sampledb-source");
    for (const workload of [resync, source]) {
      const { spec }: { spec: { template: { spec: Record<string, unknown> } } } = JSON.parse(
        JSON.stringify(workload),
      );
      assert.deepEqual(spec.template.spec["volumes"], [tokenVolume(audience)]);
      const container = containerOf(workload);
      const mountPath = "/var/run/secrets/sampledb.dev/events";
      assert.deepEqual(container.volumeMounts, [{ name: "event-token", mountPath, readOnly: true }]);
      assert.equal(valuesOf(container)["SINK_TOKEN_FILE"], `${mountPath}/token`);
    }
    for (const { spec } of [resync, containerSourceOf(objects)]) {
      const [subject = ""] = subjects(spec.template.spec.serviceAccountName);
      assert.ok(accepted.has(subject), subject);
    }
  });
});
