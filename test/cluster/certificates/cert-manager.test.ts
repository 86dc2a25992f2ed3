import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { serverNames } from "../../../functions/certify/settings.ts";
import { ensureCertManager } from "../../support/cert-manager/ensure-cert-manager.ts";
import type { CertManager } from "../../support/cert-manager/ensure-cert-manager.ts";
import { runCertManager } from "../../support/cert-manager/run-cert-manager.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { renderOwn } from "../../support/kustomize/render.ts";
import type { OwnKustomization } from "../../support/kustomize/render.ts";
import { NAMESPACE, Scene, SECRETS } from "./scene.ts";

const OWN: OwnKustomization = { paths: ["overlays/kubernetes", "components/cert-manager"] };
const DAY = 86_400_000;
const WEBHOOKS = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
const NAMES = serverNames({ namespace: NAMESPACE, service: "admission", port: 443, readyTimeout: 1 });

const until = (what: string, ask: () => Promise<true | undefined>): Promise<true> =>
  waitUntil(ask, { what, timeoutMs: 300_000 });

const days = ({ validToDate, validFromDate }: X509Certificate): number =>
  (validToDate.getTime() - validFromDate.getTime()) / DAY;

describe("with the real cert-manager, in place of certify", () => {
  let certManager: CertManager;
  let scene: Scene;
  const ends: (() => Promise<void>)[] = [];
  const kubectl = (...args: readonly string[]): Promise<string> => scene.cluster.kubectl(args);

  before(async () => {
    certManager = await ensureCertManager();
    scene = await Scene.start();
    await kubectl("apply", "--server-side", ...certManager.crds.flatMap((file) => ["-f", file]));
    await kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=300s");
    await scene.apply(OWN);
  });
  after(async () => {
    for (const end of ends) await end();
    await scene.stop();
  });

  const start = (part: "controller" | "cainjector"): void => {
    ends.push(runCertManager(certManager, part, scene.cluster.kubeconfig));
  };
  const untilRefused = (why: RegExp): Promise<true> =>
    until(`a refusal ${String(why)}`, async () => {
      const said = await scene.tryToCreate().then(() => "", String);
      return why.test(said) || undefined;
    });
  const certificate = async (secret: string): Promise<X509Certificate> => {
    const text = (await scene.api.read(`${SECRETS}/${secret}`))?.data?.["tls.crt"] ?? "";
    return new X509Certificate(Buffer.from(text, "base64"));
  };
  /** What `cmctl renew` does. */
  const renew = async (name: string): Promise<void> => {
    const earlier = await certificate(name);
    const condition = {
      type: "Issuing",
      status: "True",
      reason: "ManuallyTriggered",
      message: "renewed by hand",
      lastTransitionTime: new Date().toISOString(),
    };
    const patch = JSON.stringify([{ op: "add", path: "/status/conditions/-", value: condition }]);
    const where = [name, "-n", NAMESPACE, "--subresource=status"];
    await kubectl("patch", "certificates.cert-manager.io", ...where, "--type=json", "-p", patch);
    await until(`a renewed ${name}`, async () => {
      const now = await certificate(name);
      return now.fingerprint256 !== earlier.fingerprint256 || undefined;
    });
  };

  it("is for the namespace of the overlay, whichever that is", async () => {
    const text = await renderOwn(scene.cluster.kubectl, OWN);
    const elsewhere = await renderOwn(scene.cluster.kubectl, { ...OWN, namespace: "databases" });
    assert.equal(elsewhere, text.replaceAll(NAMESPACE, "databases"));
    assert.doesNotMatch(text, /\$\(SAMPLEDB/u);
  });

  it("leaves nothing of certify, and no install policy to wait for", async () => {
    const kinds = "sa,roles,rolebindings,clusterroles,clusterrolebindings,cronjobs,jobs";
    const found = await kubectl("get", kinds, "-n", NAMESPACE, "-o", "name");
    assert.doesNotMatch(found, /certify/u);
    const binding = "validatingadmissionpolicybinding/sampledb-install";
    await kubectl("wait", "--for=delete", binding, "--timeout=60s");
  });

  it("refuses SampleDBs while admission is not there, and while the webhooks do not trust it", async () => {
    await untilRefused(/failed calling webhook .*mutate\.sampledb\.dev/u);
    start("controller");
    await scene.startAdmission();
    await untilRefused(/mutate\.sampledb\.dev.*certificate signed by unknown authority/u);
    assert.deepEqual(await scene.trusted(), [0, 0]);
  });

  it("puts its CA into both webhooks: from then on SampleDBs are judged", async () => {
    start("cainjector");
    await scene.untilAdmitted();
    assert.deepEqual(await scene.trusted(), [1, 1]);
    const wrong = { apiVersion: "sampledb.dev/v1", kind: "SampleDB", metadata: { name: "wrong" } };
    const text = JSON.stringify({ ...wrong, spec: { version: "9.6" } });
    await assert.rejects(
      scene.cluster.kubectl(["apply", "-f", "-"], text),
      /spec\.version: "9\.6": must be/u,
    );
  });

  it("issues what certify would: P-256, 90 days, every name of the Service, by a CA of five years", async () => {
    const [leaf, ca] = [await certificate("sampledb-admission-tls"), await certificate("sampledb-ca")];
    assert.deepEqual(
      NAMES.map((name) => leaf.checkHost(name)),
      NAMES,
    );
    assert.deepEqual([leaf, ca].map(days), [90, 1825]);
    assert.deepEqual([leaf.ca, ca.ca], [false, true]);
    for (const { publicKey } of [leaf, ca])
      assert.equal(publicKey.asymmetricKeyDetails?.namedCurve, "prime256v1");
    assert.ok(leaf.checkIssued(ca) && leaf.verify(ca.publicKey));
  });

  it("renews leaf, CA and leaf again while SampleDBs are written, and no request fails", async (context) => {
    const oldLeaf = await certificate("sampledb-admission-tls");
    const oldCa = await certificate("sampledb-ca");
    const load = scene.startLoad("renewed");
    try {
      for (const name of ["sampledb-admission-tls", "sampledb-ca", "sampledb-admission-tls"]) {
        await load.goesOn(25);
        await renew(name);
        await scene.untilServed();
        await load.goesOn(75);
      }
    } finally {
      await load.stop();
    }
    assert.deepEqual(load.failures, []);
    context.diagnostic(`${load.answered} requests`);
    const newCa = await certificate("sampledb-ca");
    assert.ok(newCa.publicKey.equals(oldCa.publicKey), "the CA keeps its key");
    const leaf = await certificate("sampledb-admission-tls");
    assert.equal(leaf.publicKey.equals(oldLeaf.publicKey), false, "a leaf does not");
  });

  it("keeps the webhooks' CA when it is applied again, and brings it back where it was emptied", async () => {
    const trusted = await scene.trusted();
    assert.ok(trusted.every((count) => count > 0));
    await scene.apply(OWN);
    assert.deepEqual(await scene.trusted(), trusted);
    const empty = JSON.stringify([{ op: "remove", path: "/webhooks/0/clientConfig/caBundle" }]);
    await kubectl("patch", "validatingwebhookconfiguration", "sampledb", "--type=json", "-p", empty);
    await until("the CA", async () =>
      (await scene.trusted()).every((count) => count > 0) ? true : undefined,
    );
    await scene.untilAdmitted();
  });

  it("locks nobody out where its namespace is deleted, and goes with the overlay", async () => {
    await kubectl("delete", "namespace", NAMESPACE, "--wait=false");
    await until("a creation that nobody judges", async () =>
      (await scene.tryToCreate()).includes("sampledb.dev/retire") ? undefined : true,
    );
    const text = await renderOwn(scene.cluster.kubectl, OWN);
    await scene.cluster.kubectl(["delete", "--ignore-not-found", "--wait=false", "-f", "-"], text);
    assert.equal(await kubectl("get", WEBHOOKS, "-o", "name"), "");
  });
});
