import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { initialize } from "../../../functions/initialize/initialize.ts";
import { provision } from "../../../functions/provision/provision.ts";
import { report } from "../../../functions/report/report.ts";
import { retire } from "../../../functions/retire/retire.ts";
import { sinkUrls } from "../../../functions/shared/serve/sink.ts";
import type { Kubectl } from "../../../deploy/shared/kubectl.ts";
import {
  apiServerSources,
  containerOf,
  containerSourceOf,
  knativeServices,
  objectOf,
  valuesOf,
} from "../../support/knative/knative-objects.ts";
import { renderElsewhere } from "../../support/knative/render-elsewhere.ts";
import { renderComponents } from "../../support/knative/render-components.ts";
import { triggersIn } from "../../support/knative/trigger.ts";
import { grantedTo } from "../../support/kustomize/granted-to.ts";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { render } from "../../support/kustomize/render.ts";

const OVERLAY = "overlays/knative";
const FUNCTIONS = [provision, initialize, retire, report];
const withoutBroker = (objects: readonly KubeObject[]): readonly KubeObject[] =>
  objects.filter(({ kind }) => kind !== "Broker");

/** Sorted: the order of the levels is another one. */
const sorted = (text: string): readonly string[] =>
  objectsIn(text)
    .map((object) => `${object.kind} ${object.metadata.name} ${JSON.stringify(object)}`)
    .toSorted();

describe("the component broker", () => {
  let kubectl: Kubectl;
  let objects: readonly KubeObject[] = [];
  let overlay: readonly KubeObject[] = [];
  const rendered = async (...components: readonly string[]): Promise<readonly KubeObject[]> =>
    objectsIn(await renderComponents(kubectl, OVERLAY, components));

  before(async () => {
    kubectl = await offlineKubectl();
    overlay = objectsIn(await render(kubectl, OVERLAY));
    objects = await rendered("broker");
  });

  it("gives up after three tries and a dead letter, whoever it was for", () => {
    const ref = { apiVersion: "serving.knative.dev/v1", kind: "Service", name: "undelivered" };
    for (const { spec } of triggersIn(objects)) {
      assert.equal(spec.broker, objectOf(objects, "Broker", "sampledb").metadata.name);
      assert.deepEqual(spec.delivery, {
        retry: 2,
        backoffPolicy: "exponential",
        backoffDelay: "PT0.5S",
        timeout: "PT30S",
        deadLetterSink: { ref },
      });
    }
    // Its own letters would come back to it.
    assert.ok(!triggersIn(objects).some(({ spec }) => spec.subscriber.ref.name === "undelivered"));
  });

  it("runs each function as the group runs, in a Service and under an account of its name; undelivered without the catalog", () => {
    const services = knativeServices(objects);
    const group = knativeServices(overlay).find(({ metadata }) => metadata.name === "reconcile");
    assert.ok(group !== undefined);
    const names = [...FUNCTIONS.map(({ name }) => name), "undelivered"];
    const { env: _, volumeMounts: __, ...container } = containerOf(group);
    const { volumes: ___, ...pod } = group.spec.template.spec;
    const bare = {
      template: { ...group.spec.template, spec: { ...pod, containers: [{ ...container, env: [] }] } },
    };
    for (const name of names) {
      const service = services.find(({ metadata }) => metadata.name === name);
      assert.ok(service !== undefined, name);
      const alike: unknown = JSON.parse(JSON.stringify(service.spec).replaceAll(name, "reconcile"));
      assert.deepEqual(alike, name === "undelivered" ? bare : group.spec, name);
      assert.equal(service.metadata.labels?.["networking.knative.dev/visibility"], "cluster-local");
      assert.equal(service.metadata.labels?.["app.kubernetes.io/component"], name);
      objectOf(objects, "ServiceAccount", name);
    }
    const kept = knativeServices(overlay)
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== "reconcile");
    assert.deepEqual(
      services.map(({ metadata }) => metadata.name).toSorted(),
      [...kept, ...names].toSorted(),
    );
  });

  it("grants each account the role of its function, and no other", () => {
    for (const { name } of FUNCTIONS)
      assert.deepEqual(grantedTo(objects, "sampledb-system", name), [`ClusterRole sampledb-${name}`]);
    assert.deepEqual(grantedTo(objects, "sampledb-system", "undelivered"), [
      "ClusterRole sampledb-undelivered",
    ]);
    assert.deepEqual(grantedTo(objects, "sampledb-system", "reconcile"), []);
    assert.ok(!objects.some(({ metadata }) => metadata.name === "reconcile"));
  });

  it("has sources tell the Broker, and a sweep ask each function itself", () => {
    const broker = { apiVersion: "eventing.knative.dev/v1", kind: "Broker", name: "sampledb" };
    for (const { spec } of apiServerSources(objects)) assert.deepEqual(spec.sink, { ref: broker });
    const resync = knativeServices(objects).find(({ metadata }) => metadata.name === "resync");
    assert.ok(resync !== undefined);
    assert.deepEqual(
      sinkUrls(valuesOf(containerOf(resync))).map(({ href }) => href),
      FUNCTIONS.map(({ name }) => `http://${name}.sampledb-system.svc/`),
    );
  });

  it("has whichever source a component brings tell the Broker, where it is listed after that", async () => {
    const own = await rendered("container-source", "broker");
    assert.equal(containerSourceOf(own).spec.sink.ref.kind, "Broker");
    for (const { spec } of apiServerSources(await rendered("snapshots", "broker")))
      assert.equal(spec.sink.ref.kind, "Broker");
  });

  it("is kafka-broker but for the class of the Broker", async () => {
    const kafka = await rendered("kafka-broker");
    assert.deepEqual(withoutBroker(kafka), withoutBroker(objects));
    const { metadata, spec } = JSON.parse(JSON.stringify(objectOf(kafka, "Broker", "sampledb")));
    assert.deepEqual(metadata.annotations, { "eventing.knative.dev/broker.class": "Kafka" });
    assert.deepEqual(spec, {
      config: {
        apiVersion: "v1",
        kind: "ConfigMap",
        name: "kafka-broker-config",
        namespace: "knative-eventing",
      },
    });
    // Without it, whichever class is the cluster's.
    assert.equal(JSON.stringify(objectOf(objects, "Broker", "sampledb")).includes("broker.class"), false);
  });

  it("is where the functions are, whichever namespace that is and on whichever level it is listed", async () => {
    const here = await renderComponents(kubectl, OVERLAY, ["kafka-broker"]);
    const wanted = sorted(here.replaceAll("sampledb-system", "databases"));
    for (const level of ["inner", "outer"]) {
      const text = await renderElsewhere(kubectl, "databases", { [level]: ["kafka-broker"] });
      assert.deepEqual(sorted(text), wanted, level);
    }
    assert.doesNotMatch(here, /\$\(FUNCTIONS_NAMESPACE\)/u);
  });
});
