import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { yamlFilesBelow } from "../../support/kustomize/manifest-files.ts";
import { looksAt, policiesIn } from "./policies.ts";

const FILES = ["base", "components"]
  .flatMap((folder) => yamlFilesBelow(folder))
  .filter((file) => policiesIn(file).policies.length > 0);

// What is not SampleDB's and yet looked at.
const OTHERS = new Set(["DELETE apiextensions.k8s.io/customresourcedefinitions", "DELETE /namespaces"]);

describe("admission policies", () => {
  it("are there", () => {
    for (const name of ["base/policies/deletion-protection.yaml", "base/policies/crd-deletion.yaml"])
      assert.ok(FILES.includes(name), name);
  });

  for (const file of FILES) {
    const { policies, bindings } = policiesIn(file);
    it(`${file} has one policy and its binding, which denies`, () => {
      const [policy] = policies;
      assert.equal(policies.length, 1);
      assert.deepEqual(
        bindings.map(({ metadata, spec }) => [metadata.name, spec.policyName, spec.validationActions]),
        [[policy?.metadata.name, policy?.metadata.name, ["Deny"]]],
      );
      assert.match(policy?.metadata.name ?? "", /^sampledb-/u);
    });

    it(`${file} looks at nobody else's writes`, () => {
      for (const what of policies.flatMap(looksAt))
        assert.ok(/^\w+ sampledb\.dev\/sampledb/u.test(what) || OTHERS.has(what), what);
    });

    it(`${file} names nothing that a deletion of many leaves out`, () => {
      assert.doesNotMatch(JSON.stringify(policies), /request\.(?:name|object)/u);
    });
  }
});
