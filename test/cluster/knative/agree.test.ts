import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { before, describe, it } from "node:test";
import { CHILD_KINDS } from "../../../functions/shared/api/child-kinds.ts";
import { LABEL } from "../../../functions/shared/api/markers.ts";
import { RESOURCES } from "../../../functions/shared/kube/kinds.ts";
import type { Kind, Resource } from "../../../functions/shared/kube/kinds.ts";
import { ensureBinaries } from "../../support/cluster/binaries.ts";
import { run } from "../../support/cluster/run.ts";
import {
  apiServerSources,
  containerOf,
  knativeServices,
  objectOf,
  valuesOf,
} from "../../support/knative/knative-objects.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { render } from "../../support/kustomize/render.ts";

const FUNCTIONS = resolve(import.meta.dirname, "../../../functions");
const SERVICES = ["admission", "certify", "reconcile", "resync"];
/** What Knative takes without a feature flag (serving v0.51, pkg/apis/serving/fieldmask.go). */
const POD_FIELDS = new Set([
  "serviceAccountName",
  "containers",
  "volumes",
  "enableServiceLinks",
  "automountServiceAccountToken",
  "containerConcurrency",
  "timeoutSeconds",
]);
const NO_CONTAINER_FIELDS = ["lifecycle", "stdin", "tty", "volumeDevices"];
const RESERVED = /^(?:PORT|K_SERVICE|K_CONFIGURATION|K_REVISION)$/u;

const hasResource = (kind: string): kind is Kind => Object.hasOwn(RESOURCES, kind);

const resourceOf = (kind: string): Resource => {
  if (!hasResource(kind)) throw new Error(`no function knows the kind ${kind}`);
  return RESOURCES[kind];
};

describe("the overlay for Knative", () => {
  let objects: readonly KubeObject[] = [];
  let plain: readonly KubeObject[] = [];

  before(async () => {
    const binaries = await ensureBinaries("api", () => undefined);
    const kubectl = (args: readonly string[]): Promise<string> => run([binaries.path("kubectl"), ...args]);
    const rendered = async (path: string) => objectsIn(await render(kubectl, path));
    objects = await rendered("overlays/knative");
    plain = await rendered("overlays/kubernetes");
  });

  it("runs nothing by itself but the install Job", () => {
    const resident = objects.filter(({ kind }) => /^(?:Deployment|StatefulSet|CronJob|Job|Pod)$/u.test(kind));
    assert.deepEqual(
      resident.map(({ metadata }) => metadata.name),
      ["certify-install"],
    );
    for (const { metadata, spec } of knativeServices(objects)) {
      assert.equal(metadata.labels?.["networking.knative.dev/visibility"], "cluster-local");
      assert.equal(spec.template.metadata.annotations["autoscaling.knative.dev/min-scale"], "0");
    }
  });

  it("runs one bundle that exists in each Service, under the account of that name, with the image of plain Kubernetes", () => {
    const services = knativeServices(objects);
    assert.deepEqual(services.map(({ metadata }) => metadata.name).toSorted(), SERVICES);
    const reference = containerOf(objectOf(plain, "Deployment", "reconcile"));
    for (const service of services) {
      const { name } = service.metadata;
      const container = containerOf(service);
      assert.deepEqual([container.name, container.args], ["function", [`${name}.mjs`]]);
      assert.ok(existsSync(resolve(FUNCTIONS, `${name}/index.ts`)), name);
      assert.equal(container.image, reference.image);
      assert.equal(service.spec.template.spec.serviceAccountName, name);
      objectOf(objects, "ServiceAccount", name);
      assert.deepEqual(container.ports, [{ name: "http1", containerPort: 8080 }]);
      assert.equal(service.spec.template.metadata.labels["app.kubernetes.io/component"], name);
      for (const { configMap } of service.spec.template.spec.volumes ?? [])
        objectOf(objects, "ConfigMap", configMap?.name ?? "");
    }
  });

  it("has settings that plain Kubernetes has too, wherever both run a function as a server", () => {
    for (const name of ["admission", "reconcile"]) {
      const service = knativeServices(objects).find(({ metadata }) => metadata.name === name);
      const there = containerOf(objectOf(plain, "Deployment", name));
      assert.ok(service !== undefined);
      // Knative sets PORT, and its gateway ends TLS.
      const { PORT: _, TLS_CERT_FILE: __, TLS_KEY_FILE: ___, ...settings } = valuesOf(there);
      assert.deepEqual(valuesOf(containerOf(service)), settings);
      assert.deepEqual(containerOf(service).args, there.args);
    }
  });

  it("asks Knative for nothing that takes a feature flag, and sets no name that Knative keeps to itself", () => {
    for (const service of knativeServices(objects)) {
      for (const field of Object.keys(service.spec.template.spec)) assert.ok(POD_FIELDS.has(field), field);
      const container = containerOf(service);
      for (const field of NO_CONTAINER_FIELDS) assert.ok(!(field in container), field);
      for (const { name, valueFrom } of container.env ?? []) {
        assert.doesNotMatch(name, RESERVED);
        assert.equal(valueFrom, undefined, name);
      }
    }
  });

  it("watches what `source` watches, children by their label, and tells of Secrets and ConfigMaps by name alone", () => {
    const sources = apiServerSources(objects);
    const watched = sources.flatMap(({ spec }) => spec.resources);
    assert.deepEqual(watched.map(({ kind }) => kind).toSorted(), ["SampleDB", ...CHILD_KINDS].toSorted());
    for (const { apiVersion, kind, selector } of watched) {
      assert.equal(apiVersion, resourceOf(kind).apiVersion);
      const wanted = { matchExpressions: [{ key: LABEL.database, operator: "Exists" }] };
      assert.deepEqual(selector, kind === "SampleDB" ? undefined : wanted);
    }
    const references = sources.filter(({ spec }) => spec.mode === "Reference");
    const named = references.flatMap(({ spec }) => spec.resources.map(({ kind }) => kind));
    assert.deepEqual(named.toSorted(), ["ConfigMap", "Secret"]);
  });
});
