import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import { serverNames, settingsFrom } from "../../../functions/certify/settings.ts";
import type { Settings } from "../../../functions/certify/settings.ts";
import { shippedWebhooks } from "../../support/cert-manager/shipped-webhooks.ts";
import { containerOf, knativeServices, objectOf, valuesOf } from "../../support/knative/knative-objects.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import { ingressSpecOf } from "../../support/knative/ingress-spec.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { render, renderOwn } from "../../support/kustomize/render.ts";

/** What Kourier's gateway listens on (its config/300-gateway.yaml): the outer ports, and those inside of the cluster. */
const INNER_TLS_PORT = 8444;

/** Of the certify that the overlay would have: where the API server calls admission. */
const certifySettings = (overlay: readonly KubeObject[]): Settings => {
  const certify = knativeServices(overlay).find(({ metadata }) => metadata.name === "certify");
  assert.ok(certify !== undefined);
  return settingsFrom(valuesOf(containerOf(certify)));
};

const dnsNamesOf = (objects: readonly KubeObject[]): unknown => {
  const { spec }: { readonly spec: { readonly dnsNames: unknown } } = JSON.parse(
    JSON.stringify(objectOf(objects, "Certificate", "sampledb-admission-tls")),
  );
  return spec.dnsNames;
};

/** All but the labels, to which overlays add. */
const told = (configuration: object): object => {
  const { kind, metadata, webhooks }: KubeObject & { readonly metadata: { readonly annotations?: unknown } } =
    JSON.parse(JSON.stringify(configuration));
  return { kind, name: metadata.name, annotations: metadata.annotations, webhooks };
};

const webhooksOf = (objects: readonly KubeObject[]): readonly object[] =>
  ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].map((kind) =>
    told(objectOf(objects, kind, "sampledb")),
  );

const shippedFor = (settings: Settings): readonly object[] =>
  shippedWebhooks(settings).map((each) => told(each));

describe("the components of admission on Knative", () => {
  let kubectl: Kubectl;
  let overlay: readonly KubeObject[] = [];
  const rendered = async (...components: readonly string[]): Promise<readonly KubeObject[]> =>
    objectsIn(await renderComponents(kubectl, "overlays/knative", components));

  before(async () => {
    kubectl = await offlineKubectl();
    overlay = objectsIn(await render(kubectl, "overlays/knative"));
  });

  it("internal-ingress: the gateway answers to admission's name inside of the cluster alone", async () => {
    const objects = await rendered("internal-ingress");
    assert.ok(!objects.some(({ kind }) => kind === "DomainMapping" || kind === "ClusterDomainClaim"));
    const [name] = serverNames(certifySettings(objects));
    const { tls, rules } = ingressSpecOf(objectOf(objects, "Ingress", "sampledb-admission"));
    assert.deepEqual(
      rules.map(({ hosts, visibility }) => [hosts, visibility]),
      [[[name], "ClusterLocal"]],
    );
    // Kourier takes a certificate for a rule all of whose names it is for.
    const [secretName, secretNamespace] = ["sampledb-admission-tls", "sampledb-system"];
    assert.deepEqual(tls, [{ hosts: [name], secretName, secretNamespace }]);
    const gateway = objects.find(({ metadata }) => metadata.namespace === "kourier-system");
    assert.equal(`${gateway?.metadata.name}.${gateway?.metadata.namespace}.svc`, name);
    assert.deepEqual(gateway?.["spec"], {
      selector: { app: "3scale-kourier-gateway" },
      ports: [{ name: "https", port: 443, targetPort: INNER_TLS_PORT }],
    });
  });

  it("internal-ingress: leads to the Knative Service admission, in the one namespace that Knative allows: its own", async () => {
    const objects = await rendered("internal-ingress");
    const ingress = objectOf(objects, "Ingress", "sampledb-admission");
    assert.deepEqual(JSON.parse(JSON.stringify(ingress.metadata)).annotations, {
      "networking.knative.dev/ingress.class": "kourier.ingress.networking.knative.dev",
    });
    const { namespace } = ingress.metadata;
    const admission = knativeServices(objects).find(({ metadata }) => metadata.name === "admission");
    assert.equal(admission?.metadata.namespace, namespace);
    const paths = ingressSpecOf(ingress).rules.flatMap(({ http }) => http.paths);
    assert.deepEqual(paths, [
      {
        rewriteHost: `admission.${namespace}.svc`,
        splits: [{ serviceName: "admission", serviceNamespace: namespace, servicePort: 80, percent: 100 }],
      },
    ]);
  });

  it("cert-manager: the same webhooks as certify's, for the name that the gateway has, with a certificate for it", async () => {
    const settings = certifySettings(overlay);
    for (const components of [["cert-manager"], ["internal-ingress", "cert-manager"]]) {
      const objects = await rendered(...components);
      assert.deepEqual(webhooksOf(objects), shippedFor(settings));
      assert.deepEqual(dnsNamesOf(objects), serverNames(settings));
    }
  });

  it("cert-manager: the one for plain Kubernetes fits own-tls, and leaves nothing of certify there either", async () => {
    const objects = objectsIn(
      await renderOwn(kubectl, { paths: ["overlays/knative/own-tls", "components/cert-manager"] }),
    );
    const settings = { namespace: "sampledb-system", service: "admission", port: 443, readyTimeout: 1 };
    assert.deepEqual(webhooksOf(objects), shippedFor(settings));
    assert.deepEqual(dnsNamesOf(objects), serverNames(settings));
    assert.deepEqual(
      objects.flatMap(({ kind, metadata }) =>
        metadata.name.includes("certify") ? [`${kind} ${metadata.name}`] : [],
      ),
      [],
    );
  });
});
