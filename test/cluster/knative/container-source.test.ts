import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { sinkUrls } from "../../../functions/shared/serve/sink.ts";
import { containerOf, containerSourceOf, objectOf, valuesOf } from "../../support/knative/knative-objects.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { mayConnect } from "../../support/kustomize/ingress.ts";
import type { NetworkPod } from "../../support/kustomize/ingress.ts";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { render } from "../../support/kustomize/render.ts";

const SYSTEM = "sampledb-system";

const podOf = (namespace: string, labels: Readonly<Record<string, string>>): NetworkPod => ({
  namespace,
  labels,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace },
});

type Template = {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>> & { readonly securityContext?: object };
};
const templateOf = (object: KubeObject): Template => {
  const { spec }: { readonly spec: { readonly template: Template } } = JSON.parse(JSON.stringify(object));
  return spec.template;
};

/** Of a container, where the pod says nothing of its own. */
const withPods = (container: object, pod: object = {}): object => {
  const { securityContext = {} }: { securityContext?: object } = JSON.parse(JSON.stringify(container));
  return { ...container, securityContext: { ...pod, ...securityContext } };
};

describe("the component container-source", () => {
  let objects: readonly KubeObject[] = [];
  let plain: readonly KubeObject[] = [];

  before(async () => {
    const kubectl = await offlineKubectl();
    objects = objectsIn(await renderComponents(kubectl, "overlays/knative", ["container-source"]));
    plain = objectsIn(await render(kubectl, "overlays/kubernetes"));
  });

  it("runs what plain Kubernetes runs as `source`, but for the sink, which Knative gives", () => {
    const source = objectOf(objects, "ContainerSource", "sampledb-source");
    const deployment = objectOf(plain, "Deployment", "source");
    const [here, there] = [templateOf(source), templateOf(deployment)];
    assert.deepEqual(here.metadata, there.metadata);
    const { containers: _, ...pod } = here.spec;
    const { containers: __, securityContext, ...plainPod } = there.spec;
    assert.deepEqual(pod, plainPod);
    const container = containerOf(deployment);
    const env = container.env?.filter(({ name }) => name !== "SINK");
    assert.deepEqual(containerOf(source), withPods({ ...container, env }, securityContext));
  });

  it("sends where the two ApiServerSources do, and Knative's K_SINK is all that it needs for it", async () => {
    const { spec } = containerSourceOf(objects);
    assert.deepEqual(spec.sink, {
      ref: { apiVersion: "serving.knative.dev/v1", kind: "Service", name: "reconcile" },
    });
    const env = { ...valuesOf(containerOf(objectOf(objects, "ContainerSource", "sampledb-source"))) };
    const K_SINK = "http://reconcile.sampledb-system.svc.cluster.local";
    assert.deepEqual(
      sinkUrls({ ...env, K_SINK }).map(({ href }) => href),
      [`${K_SINK}/`],
    );
  });

  it("says nothing in its pods' labels that a release would say otherwise: Knative selects by all of them, for ever", () => {
    assert.deepEqual(containerSourceOf(objects).spec.template.metadata.labels, {
      "app.kubernetes.io/name": "sampledb",
      "app.kubernetes.io/part-of": "sampledb",
      "app.kubernetes.io/component": "source",
    });
  });

  it("has the rights of `source` on plain Kubernetes, in the namespace of the overlay", () => {
    for (const [kind, name] of [
      ["ClusterRole", "sampledb-source"],
      ["ClusterRoleBinding", "sampledb-source"],
      ["ServiceAccount", "source"],
    ] as const)
      assert.deepEqual(objectOf(objects, kind, name), objectOf(plain, kind, name));
  });

  it("lets nobody connect to it but those who read metrics", () => {
    const to = podOf(SYSTEM, containerSourceOf(objects).spec.template.metadata.labels);
    const peers = {
      metrics: { ...podOf("monitoring", {}), namespaceLabels: { "sampledb.dev/metrics": "true" } },
      gateway: podOf("kourier-system", { app: "3scale-kourier-gateway" }),
      activator: podOf("knative-serving", { app: "activator" }),
      neighbour: podOf(SYSTEM, {}),
      stranger: podOf("shop", {}),
    };
    const reach = Object.entries(peers).flatMap(([name, from]) =>
      mayConnect(objects, from, to, { name: "http", number: 8080 }) ? [name] : [],
    );
    assert.deepEqual(reach, ["metrics"]);
  });
});
