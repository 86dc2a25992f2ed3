import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Kubectl } from "../../deploy/shared/kubectl.ts";
import { offlineKubectl } from "../support/kustomize/offline-kubectl.ts";
import { objectsIn } from "../../deploy/shared/rendered.ts";
import type { KubeObject } from "../../deploy/shared/rendered.ts";
import { render } from "../support/kustomize/render.ts";
import { stackFunctions } from "../support/openfaas/stack.ts";

const OVERLAY = "overlays/openfaas";
const FUNCTIONS = { ...stackFunctions("stack.yaml"), ...stackFunctions("stack-cron-connector.yaml") };

describe("OpenFaaS' manifests", () => {
  let kubectl: Kubectl;
  let objects: readonly KubeObject[] = [];
  const names = (kind: string): readonly string[] =>
    objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

  before(async () => {
    kubectl = await offlineKubectl();
    objects = objectsIn(await render(kubectl, OVERLAY));
  });

  it("have nothing that OpenFaaS makes by itself, and no pod for what is a function", () => {
    assert.deepEqual(names("Deployment"), ["source"]);
    assert.deepEqual(names("Service"), ["sampledb-webhook"]);
    assert.deepEqual(names("Namespace"), []);
    for (const name of Object.keys(FUNCTIONS)) assert.ok(!names("Service").includes(name), name);
  });

  it("say in functions/ what stack.yaml says", async () => {
    const rendered = objectsIn(await render(kubectl, `${OVERLAY}/functions`));
    const specs = rendered.map(({ apiVersion, kind, metadata, ...rest }) => {
      assert.deepEqual(
        [apiVersion, kind, metadata.namespace],
        ["openfaas.com/v1", "Function", "openfaas-fn"],
      );
      return [metadata.name, rest["spec"]];
    });
    const expected = Object.entries(stackFunctions("stack.yaml")).map(([name, fn]) => {
      const { environment, secrets, labels, annotations, requests, limits, image } = fn;
      const readOnlyRootFilesystem = fn.readonly_root_filesystem;
      return [
        name,
        { name, image, readOnlyRootFilesystem, environment, secrets, labels, annotations, requests, limits },
      ];
    });
    assert.deepEqual(Object.fromEntries(specs), Object.fromEntries(expected));
  });
});
