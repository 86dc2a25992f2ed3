import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { initialize } from "../../../functions/initialize/initialize.ts";
import { provision } from "../../../functions/provision/provision.ts";
import { report } from "../../../functions/report/report.ts";
import { retire } from "../../../functions/retire/retire.ts";
import { RESOURCES } from "../../../functions/shared/kube/kinds.ts";
import type { ReadKind } from "../../../functions/shared/kube/observed.ts";
import { grantedBy } from "../../support/kustomize/granted-by.ts";
import { manifestsIn } from "../../support/kustomize/manifest-files.ts";
import type { PolicyRule } from "../../support/kustomize/manifest-files.ts";

const READING = new Set(["get", "list", "watch"]);

/** How a pass reads each kind; every other by one list. */
const READ_BY: { readonly [K in ReadKind]?: readonly string[] } = {
  PersistentVolume: ["get persistentvolumes"],
  InitSource: ["get configmaps", "get secrets"],
};

const readingsOf = (reads: readonly ReadKind[]): readonly string[] => [
  "get sampledbs",
  ...reads.flatMap((kind) => READ_BY[kind] ?? (kind === "InitSource" ? [] : [`list ${RESOURCES[kind].plural}`])),
];

/** Where the roles are that are not in every overlay. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  undelivered: "overlays/knative/components/broker/rights.yaml",
};

const fileOf = (name: string): string => ELSEWHERE[name] ?? `base/functions/${name}.yaml`;

const rulesOf = (name: string): readonly PolicyRule[] =>
  manifestsIn(fileOf(name)).find(({ kind }) => kind === "ClusterRole")?.rules ?? [];

describe("rights", () => {
  for (const { name, reads } of [provision, initialize, retire, report]) {
    it(`let ${name} read what its plan is made from, and nothing else`, () => {
      const reading = grantedBy(name).filter((right) => READING.has(right.split(" ")[0] ?? ""));
      assert.deepEqual(reading.toSorted(), readingsOf(reads).toSorted());
    });
  }

  it("contain no wildcard, and never the right to make a SampleDB or to read logs", () => {
    for (const name of ["provision", "initialize", "retire", "report", "source", "resync", "certify", "undelivered"]) {
      const rules = rulesOf(name);
      assert.notEqual(rules.length, 0, name);
      for (const { apiGroups, resources, verbs } of rules)
        assert.ok(![...apiGroups, ...resources, ...verbs].includes("*"), name);
      const granted = grantedBy(name, fileOf(name));
      assert.ok(!granted.includes("create sampledbs"), name);
      assert.ok(!granted.includes("get pods/log"), name);
    }
  });

  it("let source and resync change nothing", () => {
    for (const name of ["source", "resync"])
      for (const right of grantedBy(name)) assert.ok(READING.has(right.split(" ")[0] ?? ""), right);
  });

  it("let report write status and Events alone", () => {
    const writing = grantedBy("report").filter((right) => !READING.has(right.split(" ")[0] ?? ""));
    assert.deepEqual(writing.toSorted(), ["create events", "patch sampledbs/status"]);
  });

  it("let undelivered read a SampleDB and make Events, and nothing else", () => {
    assert.deepEqual(grantedBy("undelivered", fileOf("undelivered")), ["create events", "get sampledbs"]);
  });
});
