import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { serverNames, settingsFrom } from "../../../functions/certify/settings.ts";
import { sinkUrls } from "../../../functions/shared/serve/sink.ts";
import { ensureBinaries } from "../../support/cluster/binaries.ts";
import { run } from "../../support/cluster/run.ts";
import { containerOf, knativeServices, objectOf, valuesOf } from "../../support/knative/knative-objects.ts";
import type { KnativeContainer } from "../../support/knative/knative-objects.ts";
import { renderElsewhere } from "../../support/knative/render-elsewhere.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { render } from "../../support/kustomize/render.ts";

type Mapping = {
  readonly metadata: { readonly namespace: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly ref: { readonly kind: string; readonly name: string };
    readonly tls: { readonly secretName: string };
  };
};

const mappingOf = (objects: readonly KubeObject[], name: string): Mapping =>
  JSON.parse(JSON.stringify(objectOf(objects, "DomainMapping", name)));

const plainService = (objects: readonly KubeObject[], name: string): KubeObject | undefined =>
  objects.find(
    ({ apiVersion, kind, metadata }) => apiVersion === "v1" && kind === "Service" && metadata.name === name,
  );

const residentAdmission = (all: readonly KubeObject[]): readonly unknown[] => [
  objectOf(all, "Deployment", "admission"),
  objectOf(all, "PodDisruptionBudget", "admission"),
  objectOf(all, "NetworkPolicy", "sampledb-admission"),
  plainService(all, "admission"),
];

describe("the paths through Knative", () => {
  let kubectl: (args: readonly string[]) => Promise<string>;
  let objects: readonly KubeObject[] = [];
  const rendered = async (path: string): Promise<readonly KubeObject[]> =>
    objectsIn(await render(kubectl, path));

  before(async () => {
    const binaries = await ensureBinaries("api", () => undefined);
    kubectl = (args) => run([binaries.path("kubectl"), ...args]);
    objects = await rendered("overlays/knative");
  });

  for (const namespace of ["sampledb-system", "databases"]) {
    it(`has one name for admission, from the API server to the function, in ${namespace}`, async () => {
      const here =
        namespace === "sampledb-system" ? objects : objectsIn(await renderElsewhere(kubectl, namespace));
      const services = knativeServices(here);
      const of = (name: string): KnativeContainer => {
        const service = services.find(({ metadata }) => metadata.name === name);
        assert.ok(service !== undefined);
        assert.equal(service.metadata.namespace, namespace);
        return containerOf(service);
      };
      const install = containerOf(objectOf(here, "Job", "certify-install"));
      const settings = settingsFrom(valuesOf(of("certify")));
      assert.deepEqual(settingsFrom({ ...valuesOf(install), POD_NAMESPACE: namespace }), {
        ...settings,
        readyTimeout: 300_000,
      });
      assert.equal(settings.namespace, namespace);
      const [name] = serverNames(settings);
      const mapping = mappingOf(here, name);
      assert.equal(mapping.metadata.namespace, namespace);
      assert.equal(mapping.metadata.annotations["networking.knative.dev/http-protocol"], "redirected");
      assert.deepEqual([mapping.spec.ref.kind, mapping.spec.ref.name], ["Service", "admission"]);
      assert.equal(mapping.spec.tls.secretName, "sampledb-admission-tls");
      const claim = objectOf(here, "ClusterDomainClaim", name);
      assert.deepEqual([claim["spec"], claim.metadata.namespace], [{ namespace }, undefined]);
      const gateway = plainService(here, settings.service);
      assert.equal(`${gateway?.metadata.name}.${gateway?.metadata.namespace}.svc`, name);
      assert.deepEqual(gateway?.["spec"], {
        selector: { app: "3scale-kourier-gateway" },
        ports: [{ name: "https", port: settings.port, targetPort: 8443 }],
      });
      const [sink] = sinkUrls(valuesOf(of("resync")));
      assert.equal(sink?.href, `http://reconcile.${namespace}.svc/`);
    });
  }

  it("with its own TLS keeps plain Kubernetes' admission, and certify makes the certificate for that", async () => {
    const [ownTls, plain] = await Promise.all([
      rendered("overlays/knative/own-tls"),
      rendered("overlays/kubernetes"),
    ]);
    assert.notEqual(plainService(ownTls, "admission"), undefined);
    assert.deepEqual(residentAdmission(ownTls), residentAdmission(plain));
    const services = knativeServices(ownTls);
    assert.deepEqual(services.map(({ metadata }) => metadata.name).toSorted(), [
      "certify",
      "reconcile",
      "resync",
    ]);
    assert.ok(!ownTls.some(({ kind }) => kind === "DomainMapping" || kind === "ClusterDomainClaim"));
    const certify = services.find(({ metadata }) => metadata.name === "certify");
    assert.ok(certify !== undefined);
    const settings = settingsFrom(valuesOf(containerOf(certify)));
    assert.equal(serverNames(settings)[0], "admission.sampledb-system.svc");
  });
});
