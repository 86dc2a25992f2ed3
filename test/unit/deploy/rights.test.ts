import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { accessesFor, refusedIn, rightsFindings } from "../../../deploy/prerequisites/rights.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { isServed, servedKindsIn } from "../../../deploy/shared/served-kinds.ts";
import { removalFindings } from "../../../deploy/uninstall/judge.ts";
import { RESOURCES, object, deployment, binding, seenOf } from "./imagined.ts";

describe("rights", () => {
  const kinds = servedKindsIn(RESOURCES);
  it("are asked for once for each kind, verb and namespace, by the name that the API server has for it", () => {
    const objects = [
      deployment("shop", "a", 1),
      deployment("shop", "b", 1),
      object("v1", "Namespace", ["shop"]),
    ];
    assert.deepEqual(accessesFor(objects, kinds, ["create"]), [
      { verb: "create", group: "apps", resource: "deployments", namespace: "shop" },
      { verb: "create", group: "", resource: "namespaces" },
    ]);
  });

  it("that are refused are told with where", () => {
    const resourceAttributes = { verb: "create", group: "apps", resource: "deployments", namespace: "shop" };
    const review = (allowed: boolean) => ({ spec: { resourceAttributes }, status: { allowed } });
    assert.deepEqual(refusedIn([review(true), review(false)]), ["create deployments.apps in shop"]);
    const many = Array.from({ length: 12 }, (_, nth) => `create k${nth}`);
    assert.match(rightsFindings(many)[0]?.seen ?? "", /create k7, and 4 more$/u);
  });

  it("know a kind without short names, and tell groups apart", () => {
    assert.ok(isServed(kinds, "clusterrolebindings.rbac.authorization.k8s.io"));
    assert.ok(isServed(kinds, "services.serving.knative.dev"));
    assert.ok(!isServed(kinds, "services"));
  });
});

const sampledb = (name: string, more: object): KubeObject =>
  object("sampledb.dev/v1", "SampleDB", [name, "shop"], { ...more });
const removal = (objects: readonly KubeObject[], isForced = false) => ({
  platform: "kubernetes" as const,
  namespace: "sampledb-system",
  rendered: [binding("sampledb-certify", "sampledb-system")],
  seen: seenOf(objects),
  refused: [],
  isForced,
});
const levels = (objects: readonly KubeObject[], isForced = false): readonly string[] =>
  removalFindings(removal(objects, isForced)).map(({ level, seen }) => `${level}: ${seen}`);

describe("what stands in the way of an uninstall", () => {
  it("is nothing for living SampleDBs, which stay", () => {
    assert.deepEqual(levels([sampledb("orders", {})]), []);
  });

  it("is a SampleDB that is being deleted, unless forced", () => {
    const ending = [sampledb("orders", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } })];
    assert.match(levels(ending)[0] ?? "", /^missing: shop\/orders: without the functions that never ends/u);
    assert.match(levels(ending, true)[0] ?? "", /^warning: /u);
  });

  it("is told of protected ones, and of an installation elsewhere", () => {
    const guarded = [sampledb("orders", { spec: { deletion: { protection: true } } })];
    assert.match(levels(guarded)[0] ?? "", /^warning: shop\/orders: .*protects nothing/u);
    assert.deepEqual(levels([binding("sampledb-certify", "databases")]), ["missing: it is in databases"]);
  });
});
