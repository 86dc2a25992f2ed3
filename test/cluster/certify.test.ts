import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { issueCa } from "../../functions/certify/issue-certificate.ts";
import { Hopeless, waitUntil } from "../support/cluster/wait-until.ts";
import { grantedBy } from "../support/kustomize/granted-by.ts";
import { render } from "../support/kustomize/render.ts";
import { CertifyScene } from "./certify-scene.ts";

type Fields = Readonly<Record<string, unknown>>;

const sampledb = (name: string, more: Fields = {}, spec: Fields = { version: "17" }): string =>
  JSON.stringify({
    apiVersion: "sampledb.dev/v1",
    kind: "SampleDB",
    metadata: { name, namespace: "default", ...more },
    spec,
  });

/** The API server takes a moment to notice changed policies and webhooks. */
const soon = <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> =>
  waitUntil(ask, { what, timeoutMs: 120_000 });

describe("certify on a real API server, with admission on this host", () => {
  let scene: CertifyScene;
  const kubectl = (args: readonly string[]): Promise<string> => scene.kubectl(args);
  const apply = (text: string, ...more: readonly string[]): Promise<string> => scene.apply(text, ...more);
  const tryToCreate = (): Promise<string> => apply(sampledb("any"), "--dry-run=server");
  before(async () => {
    scene = await CertifyScene.start();
  });
  after(() => scene.stop());

  it("leaves the install policy in force while admission is not there", async () => {
    await assert.rejects(scene.certify(1), /failed \(1\)/u);
    await soon("the install policy", async () => {
      await assert.rejects(tryToCreate(), /SampleDB is still being installed/u);
      return true;
    });
    await assert.rejects(apply(sampledb("orders")), /SampleDB is still being installed/u);
    assert.equal(await kubectl(["get", "mutatingwebhookconfigurations", "-o", "name"]), "");
  });

  it("makes the certificate, waits for admission and then opens the door to valid SampleDBs only", async () => {
    await scene.deleteSecrets("sampledb-ca", "sampledb-admission-tls");
    const running = scene.certify();
    scene.startAdmission();
    await scene.mountSecret();
    await running;
    await soon("the end of the install policy", () => apply(sampledb("orders")));
    const finalizers = await kubectl(["get", "sdb", "orders", "-o", "jsonpath={.metadata.finalizers}"]);
    assert.match(finalizers, /sampledb.dev\/retire/u);
    const wrong = sampledb("wrong", {}, { version: "9.6" });
    await assert.rejects(apply(wrong), /spec\.version: "9\.6": must be one of/u);
  });

  it("asks admission where something is to be judged, and nowhere else", async () => {
    const patch =
      (type: string, body: unknown, ...more: readonly string[]) =>
      (): Promise<string> =>
        kubectl(["patch", "sdb", "orders", `--type=${type}`, "-p", JSON.stringify(body), ...more]);
    const theirs = "shop.example.com/x";
    const add = [{ op: "add", path: "/metadata/finalizers/-", value: theirs }];
    const rows: readonly (readonly [want: string, what: string, act: () => Promise<unknown>])[] = [
      ["mutate validate", "a creation", () => apply(sampledb("stock"))],
      ["mutate validate", "a changed spec", patch("merge", { spec: { paused: true } })],
      ["", "a label", patch("merge", { metadata: { labels: { tier: "gold" } } })],
      ["", "the status", patch("merge", { status: { version: "17" } }, "--subresource=status")],
      ["", "another's finalizer", patch("json", add)],
      ["mutate", "our finalizer dropped", patch("merge", { metadata: { finalizers: [theirs] } })],
      ["", "a deletion", () => kubectl(["delete", "sdb", "orders", "--wait=false"])],
      ["", "a terminating object's finalizers", patch("merge", { metadata: { finalizers: null } })],
    ];
    for (const [want, what, act] of rows) assert.equal(await scene.askedBy(act), want, what);
    await assert.rejects(kubectl(["get", "sdb", "orders"]), /not found/u);
  });

  it("writes nothing when everything is right", async () => {
    const from = await scene.auditPosition();
    await scene.certify();
    assert.deepEqual(await scene.writesOfCertify(from), []);
  });

  for (const [title, caBundle] of [
    ["emptied", () => Promise.resolve("")],
    ["another CA's", async () => (await issueCa(new Date())).certificate],
  ] as const) {
    it(`repairs a caBundle that is ${title}`, async () => {
      const value = Buffer.from(await caBundle()).toString("base64");
      const bad = JSON.stringify([{ op: "replace", path: "/webhooks/0/clientConfig/caBundle", value }]);
      await kubectl(["patch", "mutatingwebhookconfiguration", "sampledb", "--type=json", "-p", bad]);
      await soon("the refusal", async () => {
        await assert.rejects(tryToCreate(), /certificate/u);
        return true;
      });
      const from = await scene.auditPosition();
      await scene.certify();
      assert.deepEqual(await scene.writesOfCertify(from), [
        "patch /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/sampledb",
      ]);
      await soon("the repair", tryToCreate);
    });
  }

  it("gives a running admission a new certificate without a refusal", async () => {
    await scene.deleteSecrets("sampledb-admission-tls");
    await scene.certify();
    assert.equal(await scene.servesSecret(), false);
    await scene.mountSecret();
    let paused = false;
    await soon("the new certificate", async () => {
      paused = !paused;
      // A refusal would be one of admission's, not something to wait out.
      await apply(sampledb("stock", {}, { version: "17", paused })).catch((cause: unknown) => {
        throw new Hopeless(String(cause));
      });
      return (await scene.servesSecret()) ? true : undefined;
    });
    await apply(sampledb("stock", {}, { version: "17", paused: !paused }));
  });

  it("renews a leaf that does not fit, in place", async () => {
    await scene.spoilSecret();
    const from = await scene.auditPosition();
    await scene.certify();
    assert.deepEqual(await scene.writesOfCertify(from), [
      "patch /api/v1/namespaces/sampledb-system/secrets/sampledb-admission-tls",
    ]);
  });

  it("is refused nothing, and granted nothing that it does not use", async () => {
    const { used, forbidden } = await scene.rightsUsed();
    assert.deepEqual(forbidden, []);
    assert.deepEqual(used, grantedBy("certify"));
  });

  it("goes with the overlay: SampleDBs stay, and nothing refuses them", async () => {
    const overlay = await render(kubectl, "overlays/kubernetes");
    await scene.kubectl(["delete", "--wait=false", "--ignore-not-found", "-f", "-"], overlay);
    const configurations = "mutatingwebhookconfigurations,validatingwebhookconfigurations";
    await soon("the end of the webhook configurations", async () =>
      (await kubectl(["get", configurations, "-o", "name"])) === "" ? true : undefined,
    );
    assert.equal(await kubectl(["get", "sdb", "-o", "name"]), "sampledb.sampledb.dev/stock\n");
    await soon("a write without webhooks", () => apply(sampledb("stock", { labels: { functions: "gone" } })));
  });
});
