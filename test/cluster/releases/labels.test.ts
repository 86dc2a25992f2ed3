import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { before, describe, it } from "node:test";
import { offlineKubectl } from "../../support/kustomize/offline-kubectl.ts";
import { objectsIn } from "../../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { render, renderOwn } from "../../support/kustomize/render.ts";
import type { OwnKustomization } from "../../support/kustomize/render.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(resolve(ROOT, path), "utf8");
const { version }: { readonly version: string } = JSON.parse(read("package.json"));
const label = (name: string): string => `app.kubernetes.io/${name}`;

const OVERLAYS = [
  "overlays/kubernetes",
  "overlays/knative",
  "overlays/knative/own-tls",
  "overlays/openfaas",
  "overlays/openfaas/functions",
];
/** Parts of others. */
const PARTS = new Set(["components/function-pods", "components/labels", "components/release"]);

const componentsIn = (folder: string): readonly string[] =>
  readdirSync(resolve(ROOT, "manifests", folder)).map((name) => `${folder}/${name}`);

/** They are for the gateway, which has room for one release. */
const OF_THE_GATEWAY = new Set(
  ["cert-manager", "internal-ingress"].map((name) => `overlays/knative/components/${name}`),
);
const knative = componentsIn("overlays/knative/components");

type Paths = OwnKustomization["paths"];

/** Every component, on an overlay that it is for. */
const ALONE: readonly Paths[] = knative
  .filter((path) => OF_THE_GATEWAY.has(path))
  .map((path) => ["overlays/knative", path, "components/release/unnamed"]);
const USES: readonly Paths[] = [
  ...componentsIn("components")
    .filter((path) => !PARTS.has(path))
    .map((path): Paths => ["overlays/kubernetes", path]),
  ...knative
    .filter((path) => !OF_THE_GATEWAY.has(path))
    .map((path): Paths => ["overlays/knative/own-tls", path]),
];

const CLUSTER_WIDE = new Set([
  "ClusterDomainClaim",
  "ClusterRole",
  "ClusterRoleBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);

const textOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;

const assertLabelled = (objects: readonly KubeObject[], instance: string): void => {
  assert.notEqual(objects.length, 0);
  for (const object of objects) {
    const { [label("component")]: component, ...labels } = object.metadata.labels ?? {};
    const found = ["name", "instance", "part-of", "version"].map((name) => labels[label(name)]);
    assert.deepEqual(found, ["sampledb", instance, "sampledb", version], textOf(object));
    assert.ok(component !== undefined && component !== "", `${textOf(object)} has no component`);
  }
};

/** Labels of every pod template and every selector in it, as text. */
const templatesIn = (value: unknown): readonly string[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
    ["template", "selector", "podSelector", "labelSelector"].includes(key)
      ? [JSON.stringify(each)]
      : templatesIn(each),
  );
};

describe("labels", () => {
  let kubectl: Awaited<ReturnType<typeof offlineKubectl>>;
  before(async () => {
    kubectl = await offlineKubectl();
  });

  for (const overlay of OVERLAYS) {
    it(`are on every object of ${overlay}, with the version of package.json`, async () => {
      assertLabelled(objectsIn(await render(kubectl, overlay)), "sampledb");
    });
  }

  for (const paths of ALONE) {
    it(`are on every object of ${paths.join(" with ")}`, async () => {
      assertLabelled(objectsIn(await renderOwn(kubectl, { paths })), "sampledb");
    });
  }

  it("have the version in one place, and the images the same one", () => {
    const files = ["components/function-pods", "overlays/openfaas/functions"].map(
      (folder) => `manifests/${folder}/kustomization.yaml`,
    );
    for (const file of files)
      assert.deepEqual(
        [...read(file).matchAll(/newTag: (\S+)/gu)].map(([, tag]) => tag),
        [version],
        file,
      );
    for (const file of ["stack.yaml", "stack-cron-connector.yaml"]) {
      const tags = [...read(`manifests/overlays/openfaas/${file}`).matchAll(/functions-openfaas:([\d.]+)/gu)];
      assert.deepEqual([...new Set(tags.map(([, tag]) => tag))], [version], file);
    }
  });
});

describe("a release with a name", () => {
  let kubectl: Awaited<ReturnType<typeof offlineKubectl>>;
  before(async () => {
    kubectl = await offlineKubectl();
  });

  for (const paths of USES) {
    it(`has nothing cluster-wide that another release has, and labels on all: ${paths.join(" with ")}`, async () => {
      const own = { paths: [...paths, "components/release/named"] as const, release: "blue" };
      const objects = objectsIn(await renderOwn(kubectl, own));
      assertLabelled(objects, "sampledb-blue");
      // Some templates can never change, and none need change for a version.
      for (const object of objects)
        for (const template of templatesIn(object))
          assert.ok(!template.includes(label("version")), textOf(object));
      const wide = objects.filter(({ kind }) => CLUSTER_WIDE.has(kind));
      for (const object of wide) assert.match(object.metadata.name, /^sampledb(-[a-z-]+)?-blue$/u);
      // What refers to them does so by the new names, and every placeholder was replaced.
      const names = new Set(wide.map(textOf));
      const text = JSON.stringify(objects);
      assert.ok(!text.includes("to-be-named"));
      for (const [, kind, name] of text.matchAll(/"roleRef":\{[^}]*"kind":"(\w+)","name":"([\w-]+)"\}/gu))
        if (kind === "ClusterRole") assert.ok(names.has(`ClusterRole ${name}`), name);
      for (const [, name] of text.matchAll(/"policyName":"([\w-]+)"/gu))
        assert.ok(names.has(`ValidatingAdmissionPolicy ${name}`), name);
      assert.ok(
        !objects.some(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "sampledb-release"),
      );
    });
  }

  it("lets certify keep what is this release's and nothing else", async () => {
    const paths = ["overlays/kubernetes", "components/release/named"] as const;
    const objects = objectsIn(await renderOwn(kubectl, { paths, release: "blue" }));
    const role = objects.find((object) => textOf(object) === "ClusterRole sampledb-certify-blue");
    const named = [...JSON.stringify(role).matchAll(/"resourceNames":\["([\w-]+)"\]/gu)].map(
      ([, name]) => name,
    );
    assert.deepEqual(named, ["sampledb-blue", "sampledb-install-blue", "sampledb-certify-blue"]);
  });

  it("does not build without its name", async () => {
    const paths = ["overlays/kubernetes", "components/release/named"] as const;
    await assert.rejects(renderOwn(kubectl, { paths }), /sampledb-release/u);
  });
});
