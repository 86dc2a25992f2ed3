import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { before, describe, it } from "node:test";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { renderElsewhere } from "../../support/knative/render-elsewhere.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { render } from "../../support/kustomize/render.ts";

const README = new URL("../../../manifests/overlays/knative/README.md", import.meta.url);

const texts = (objects: readonly KubeObject[]): ReadonlyMap<string, string> =>
  new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, JSON.stringify(object)]));

/** What differs: `-` is gone, `+` is new, `~` is another one. */
const differences = (overlay: readonly KubeObject[], other: readonly KubeObject[]): readonly string[] => {
  const [old, now] = [texts(overlay), texts(other)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .flatMap((name) => {
      if (!now.has(name)) return [`- ${name}`];
      if (!old.has(name)) return [`+ ${name}`];
      return old.get(name) === now.get(name) ? [] : [`~ ${name}`];
    })
    .toSorted();
};

/** The order depends on the level that a component is listed on. */
const sorted = (text: string): readonly (readonly [string, string])[] =>
  [...texts(objectsIn(text))].toSorted(([a], [b]) => (a < b ? -1 : 1));

const CHANGES: Readonly<Record<string, readonly string[]>> = {
  "container-source": [
    "+ ClusterRole sampledb-source",
    "+ ClusterRoleBinding sampledb-source",
    "+ ContainerSource sampledb-source",
    "+ ServiceAccount source",
    "- ApiServerSource sampledb-objects",
    "- ApiServerSource sampledb-references",
    "- ClusterRole sampledb-knative-objects",
    "- ClusterRole sampledb-knative-references",
    "- ClusterRoleBinding sampledb-knative-objects",
    "- ClusterRoleBinding sampledb-knative-references",
    "- ServiceAccount knative-objects",
    "- ServiceAccount knative-references",
    "~ NetworkPolicy sampledb-metrics",
  ],
  "internal-ingress": [
    "+ Ingress sampledb-admission",
    "- ClusterDomainClaim sampledb-admission.kourier-system.svc",
    "- DomainMapping sampledb-admission.kourier-system.svc",
    "~ Service sampledb-admission",
  ],
  "cert-manager": [
    "+ Certificate sampledb-admission-tls",
    "+ Certificate sampledb-ca",
    "+ Issuer sampledb-ca",
    "+ Issuer sampledb-self-signed",
    "+ MutatingWebhookConfiguration sampledb",
    "+ Role sampledb-admission",
    "+ RoleBinding sampledb-admission",
    "+ ValidatingWebhookConfiguration sampledb",
    "- ClusterRole sampledb-certify",
    "- ClusterRoleBinding sampledb-certify",
    "- Job certify-install",
    "- PingSource sampledb-certify",
    "- Role sampledb-certify",
    "- RoleBinding sampledb-certify",
    "- Service certify",
    "- ServiceAccount certify",
    "- ValidatingAdmissionPolicy sampledb-install",
    "- ValidatingAdmissionPolicyBinding sampledb-install",
  ],
  snapshots: [
    "+ ApiServerSource sampledb-snapshots",
    "+ ClusterRole sampledb-knative-snapshots",
    "+ ClusterRoleBinding sampledb-knative-snapshots",
    "+ ServiceAccount knative-snapshots",
  ],
  oidc: [
    "~ ApiServerSource sampledb-objects",
    "~ ApiServerSource sampledb-references",
    "~ PingSource sampledb-certify",
    "~ PingSource sampledb-resync",
    "~ Service certify",
    "~ Service reconcile",
    "~ Service resync",
  ],
};
const ALL = Object.keys(CHANGES);
/** Each function alone, behind a Broker: no addition to the others. */
const ELSEWHERE = new Set(["broker", "kafka-broker"]);
/** It changes what is in the gateway's namespace. */
const OUTER = ["internal-ingress"];

describe("the components of the overlay for Knative", () => {
  let kubectl: Kubectl;
  let overlay: readonly KubeObject[] = [];

  before(async () => {
    kubectl = await offlineKubectl();
    overlay = objectsIn(await render(kubectl, "overlays/knative"));
  });

  it("are all spoken of here", () => {
    const folders = readdirSync(new URL("components", README)).filter((name) => !ELSEWHERE.has(name));
    assert.deepEqual(folders.toSorted(), ALL.toSorted());
  });

  for (const [name, expected] of Object.entries(CHANGES))
    it(`${name} changes this and nothing else`, async () => {
      const objects = objectsIn(await renderComponents(kubectl, "overlays/knative", [name]));
      assert.deepEqual(differences(overlay, objects), expected.toSorted());
    });

  it("fit together, all of them", async () => {
    const objects = objectsIn(await renderComponents(kubectl, "overlays/knative", ALL));
    const found = differences(overlay, objects).map((line) => line.slice(2));
    const each = ALL.flatMap((name) => CHANGES[name]?.map((line) => line.slice(2)) ?? []);
    assert.deepEqual(new Set(found), new Set(each));
  });

  it("are where the functions are, whichever namespace that is and on whichever level they are listed", async () => {
    const here = await renderComponents(kubectl, "overlays/knative", ALL);
    const wanted = here.replaceAll("sampledb-system", "databases");
    const inner = ALL.filter((name) => !OUTER.includes(name));
    for (const components of [{ outer: ALL }, { inner, outer: OUTER }]) {
      const text = await renderElsewhere(kubectl, "databases", components);
      assert.deepEqual(sorted(text), sorted(wanted));
    }
    assert.doesNotMatch(here, /\$\((?:FUNCTIONS|SAMPLEDB)_NAMESPACE\)/u);
  });

  it("that fit nothing there say so: those for the gateway beside own-tls, and below it", async () => {
    for (const name of ["internal-ingress", "cert-manager"])
      await assert.rejects(
        renderComponents(kubectl, "overlays/knative/own-tls", [name]),
        /no matches for Id/u,
      );
    await assert.rejects(
      renderElsewhere(kubectl, "databases", { inner: ["internal-ingress"] }),
      /no matches for Id/u,
    );
  });

  it("are on own-tls what they are on the overlay, where they have no say in admission", async () => {
    const ownTls = objectsIn(await render(kubectl, "overlays/knative/own-tls"));
    for (const name of ["container-source", "snapshots", "oidc"]) {
      const objects = objectsIn(await renderComponents(kubectl, "overlays/knative/own-tls", [name]));
      assert.deepEqual(differences(ownTls, objects), CHANGES[name]?.toSorted());
    }
  });

  it("README: every piece of a kustomization there builds on the overlay, and changes it", async () => {
    const blocks = Array.from(
      readFileSync(README, "utf8").matchAll(/```yaml\n(.*?)```/gsu),
      ([, text]) => text,
    );
    assert.notEqual(blocks.length, 0);
    for (const block of blocks) {
      const objects = objectsIn(await renderComponents(kubectl, "overlays/knative", [], block));
      assert.notDeepEqual(differences(overlay, objects), [], block);
    }
  });
});
