import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { readCatalog } from "../../../functions/shared/api/read-catalog.ts";
import { manifestsIn, templateOf, yamlFilesBelow } from "../../support/kustomize/manifest-files.ts";

const FUNCTIONS = resolve(import.meta.dirname, "../../../functions");
const WORKLOADS = ["overlays/kubernetes", "components/each-function"]
  .flatMap((folder) => yamlFilesBelow(folder))
  .filter((file) => !file.endsWith("kustomization.yaml") && !file.endsWith("sinks.yaml"))
  .flatMap((file) => manifestsIn(file))
  .flatMap((manifest) => {
    const template = templateOf(manifest);
    return template === undefined ? [] : [{ manifest, template }];
  });

describe("workloads", () => {
  it("are there", () => {
    const names = WORKLOADS.map(({ manifest }) => `${manifest.kind} ${manifest.metadata.name}`);
    assert.deepEqual(names.toSorted(), [
      "CronJob certify",
      "CronJob resync",
      "Deployment admission",
      "Deployment initialize",
      "Deployment provision",
      "Deployment reconcile",
      "Deployment report",
      "Deployment retire",
      "Deployment source",
      "Job certify-install",
    ]);
  });

  for (const { manifest, template } of WORKLOADS) {
    const { name, labels } = manifest.metadata;
    it(`${manifest.kind} ${name} runs one bundle that exists, under the account of that name`, () => {
      const [container, ...others] = template.spec.containers;
      assert.deepEqual(others, []);
      // One patch fits all pods because their container has one name.
      assert.equal(container?.name, "function");
      const fn = labels?.["app.kubernetes.io/component"];
      assert.equal(container.args?.[0], `${fn}.mjs`);
      assert.ok(existsSync(resolve(FUNCTIONS, `${fn}/index.ts`)), `functions/${fn}/index.ts`);
      assert.equal(template.spec.serviceAccountName, fn);
      assert.equal(labels?.["app.kubernetes.io/name"], "sampledb");
    });
  }
});

describe("the catalog in the overlay", () => {
  it("offers what the built-in one does", () => {
    const [configMap] = manifestsIn("overlays/kubernetes/catalog.yaml");
    assert.equal(configMap?.metadata.name, "sampledb-catalog");
    assert.deepEqual(readCatalog(configMap.data ?? {}), BUILT_IN_CATALOG);
  });
});
