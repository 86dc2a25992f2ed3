import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { imageFields, imageText } from "../../../deploy/shared/image-reference.ts";
import { imageIn, kustomizationText } from "../../../deploy/shared/kustomization.ts";
import { layersFor } from "../../../deploy/shared/layers.ts";
import { overlayOf } from "../../../deploy/shared/platform.ts";

const DIGEST = `sha256:${"0a".repeat(32)}`;
const NAME = "example.com/sampledb/functions";

describe("an image reference", () => {
  const images: readonly [string, string, object][] = [
    [
      "a tag after a registry with a port",
      "registry.example.com:5000/f:1.2",
      { newName: "registry.example.com:5000/f", newTag: "1.2" },
    ],
    ["a digest", `registry.example.com/f@${DIGEST}`, { newName: "registry.example.com/f", digest: DIGEST }],
    ["neither", "registry.example.com:5000/f", { newName: "registry.example.com:5000/f" }],
  ];
  for (const [name, image, fields] of images)
    it(`is taken apart and put together: ${name}`, () => {
      assert.deepEqual(imageFields(image), fields);
      assert.equal(imageText(imageFields(image)), image);
    });

  it("loses its tag to its digest, which says more", () => {
    assert.deepEqual(imageFields(`registry.example.com/f:1@${DIGEST}`), {
      newName: "registry.example.com/f",
      digest: DIGEST,
    });
  });
});

describe("a kustomization", () => {
  const wanted = {
    resources: ["/srv/manifests/overlays/kubernetes"],
    components: ["/srv/manifests/components/each-function"],
    images: { [NAME]: imageFields("registry.example.com/f:2") },
  };

  it("refers to ours by relative paths, as kustomize wants, and is a whole one", () => {
    assert.equal(
      kustomizationText(wanted, "/srv/sampledb"),
      `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - ../manifests/overlays/kubernetes
components:
  - ../manifests/components/each-function
images:
  - name: ${NAME}
    newName: registry.example.com/f
    newTag: "2"
`,
    );
    assert.throws(() => kustomizationText(wanted, "sampledb"), /absolute/u);
  });

  it("stays as it is where it says all of that, comments and order too", () => {
    const text = `# Ours.
resources: [catalog.yaml, ../manifests/overlays/kubernetes] # ours
components:
- ../manifests/components/event-identity
- ../manifests/components/each-function
images:
- {name: ${NAME}, newName: registry.example.com/f, newTag: "2"}
`;
    assert.equal(kustomizationText(wanted, "/srv/sampledb", text), text);
    const more = kustomizationText({ ...wanted, namespace: "shop" }, "/srv/sampledb", text);
    assert.match(
      more,
      /^# Ours\.\nresources: \[ catalog\.yaml, \.\.\/manifests\/overlays\/kubernetes \] # ours\n/u,
    );
    assert.match(more, /^namespace: shop$/mu);
  });

  it("gets another image in place of the one it had, and keeps others", () => {
    const text = `images:\n- {name: other, newTag: "1"}\n- {name: ${NAME}, newName: registry.example.com/f, newTag: "1"}\n`;
    const images = { [NAME]: imageFields(`registry.example.com/f@${DIGEST}`) };
    const after = kustomizationText({ resources: [], images }, "/srv/sampledb", text);
    assert.deepEqual(imageIn(after, NAME), images[NAME]);
    assert.deepEqual(imageIn(after, "other"), { newName: "other", newTag: "1" });
    assert.doesNotMatch(after, /newTag: "?1"?\n.*functions/u);
    assert.equal(imageIn(after, "none"), undefined);
  });

  it("leaves one platform for another", () => {
    const text = "resources:\n- ../manifests/overlays/knative/own-tls\n- mine.yaml\n";
    const after = kustomizationText({ resources: wanted.resources }, "/srv/sampledb", text);
    assert.match(after, /resources:\n {2}- mine\.yaml\n {2}- \.\.\/manifests\/overlays\/kubernetes\n/u);
  });

  it("keeps what it builds on where nothing else is wanted", () => {
    const text = "resources: [../manifests/overlays/kubernetes]\n";
    const after = kustomizationText({ ...wanted, resources: [] }, "/srv/sampledb", text);
    assert.match(after, /^resources: \[ \.\.\/manifests\/overlays\/kubernetes \]$/mu);
  });

  it("that is no YAML is refused", () => {
    assert.throws(() => kustomizationText(wanted, "/srv/sampledb", "resources: ["), /kustomization\.yaml: /u);
  });
});

describe("what is built for a choice", () => {
  const folder = "/tmp/k";
  const choice = { components: [], image: "registry.example.com/f:2" } as const;
  const knative = overlayOf("knative");

  it("is one kustomization on the platform's overlay; its own namespace is not said again", () => {
    for (const [platform, namespace] of [
      ["kubernetes", "sampledb-system"],
      ["openfaas", "openfaas-fn"],
      ["knative", "sampledb-system"],
    ] as const) {
      const layers = layersFor({ ...choice, platform, namespace }, folder);
      assert.deepEqual(
        layers.map(({ wanted }) => [wanted.resources, wanted.namespace]),
        [[[overlayOf(platform)], undefined]],
      );
    }
  });

  it("is two for Knative in another namespace: what is at the gateway stays there", () => {
    const layers = layersFor({ ...choice, platform: "knative", namespace: "shop" }, folder);
    assert.deepEqual(
      layers.map(({ wanted }) => [wanted.resources, wanted.namespace]),
      [
        [[`${knative}/functions`], "shop"],
        [[`${folder}/functions`, `${knative}/gateway`], undefined],
      ],
    );
  });

  it("is on another form of the overlay where that is chosen", () => {
    const ownTls = { path: `${knative}/own-tls`, isOverlay: true };
    const [layer, ...others] = layersFor(
      { ...choice, platform: "knative", namespace: "shop", components: [ownTls] },
      folder,
    );
    assert.deepEqual(others, []);
    assert.deepEqual([layer?.wanted.resources, layer?.wanted.namespace], [[ownTls.path], "shop"]);
  });
});
