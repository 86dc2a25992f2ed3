import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import type { Ref, Writable } from "../../../functions/shared/kube/action.ts";
import type { Kind } from "../../../functions/shared/kube/kinds.ts";
import type { Observed } from "../../../functions/shared/kube/observed.ts";
import { pass } from "../../../functions/shared/kube/pass.ts";
import type { ReconcileFunction } from "../../../functions/shared/kube/reconcile-function.ts";
import { withWritten } from "../../../functions/shared/kube/with-written.ts";
import { fakeCluster } from "../../support/fake-cluster.ts";
import { makeSampleDB } from "../../support/make-sampledb.ts";

const key = { namespace: "shop", name: "orders" };
const observed = (): Promise<Observed> => fakeCluster({}).observe(key, new Set());

const written = (kind: Exclude<Kind, "SampleDB">, name: string, resourceVersion: string): Writable =>
  JSON.parse(JSON.stringify({ kind, metadata: { name, uid: `uid-${name}`, resourceVersion } }));

const versions = (list: Observed["objects"][keyof Observed["objects"]]): readonly string[] =>
  list.flatMap((object) =>
    "metadata" in object ? [`${object.metadata?.name}@${object.metadata?.resourceVersion}`] : [],
  );

describe("an observation with what was written", () => {
  it("has what was made, and what was changed in its place", async () => {
    const made = [written("Service", "orders", "5"), written("Service", "orders-headless", "6")];
    const both = made.reduce(withWritten, await observed());
    assert.deepEqual(versions(both.objects.Service), ["orders@5", "orders-headless@6"]);
    const changed = withWritten(both, written("Service", "orders", "7"));
    assert.deepEqual(versions(changed.objects.Service), ["orders@7", "orders-headless@6"]);
    assert.deepEqual(versions(both.objects.Service), ["orders@5", "orders-headless@6"]);
  });

  it("has the SampleDB as it is now", async () => {
    const sampledb = makeSampleDB({ metadata: { resourceVersion: "9" } });
    const next = withWritten(await observed(), {
      ...sampledb,
      apiVersion: "sampledb.dev/v1",
      kind: "SampleDB",
    });
    assert.equal(next.sampledb?.metadata.resourceVersion, "9");
  });

  it("has no claim that was just made, for whose StorageClass and events were not read, but one that changed", async () => {
    const claim = written("PersistentVolumeClaim", "orders-1-1", "5");
    const before = await observed();
    assert.deepEqual(withWritten(before, claim), before);
    const found = JSON.parse(JSON.stringify({ ...before.objects, PersistentVolumeClaim: [claim] }));
    const next = withWritten(
      { ...before, objects: found },
      written("PersistentVolumeClaim", "orders-1-1", "6"),
    );
    assert.deepEqual(versions(next.objects.PersistentVolumeClaim), ["orders-1-1@6"]);
  });

  it("is the same where the answer is no object", async () => {
    const before = await observed();
    assert.equal(withWritten(before, JSON.parse("{}")), before);
  });

  it("is what each function of a pass plans on", async () => {
    const ref: Ref = { kind: "SampleDB", ...key, uid: "uid-orders", resourceVersion: "1" };
    const sampledb = makeSampleDB({ metadata: { resourceVersion: "2" } });
    const cluster = fakeCluster({
      written: ({ do: verb }) =>
        verb === "merge"
          ? { ...sampledb, apiVersion: "sampledb.dev/v1", kind: "SampleDB" }
          : written("Service", "orders", "3"),
    });
    const seen: (string | undefined)[] = [];
    const provision: ReconcileFunction = {
      name: "provision",
      reads: [],
      plan: () => [
        { do: "merge", ref, patch: {} },
        { do: "create", object: { apiVersion: "v1", kind: "Service", metadata: { name: "orders" } } },
      ],
    };
    const report: ReconcileFunction = {
      name: "report",
      reads: [],
      plan: ({ sampledb: found, objects }) => {
        seen.push(found?.metadata.resourceVersion, ...versions(objects.Service));
        return [];
      },
    };
    await pass(
      {
        clusterUntil: () => cluster,
        functions: [provision, report],
        catalog: () => BUILT_IN_CATALOG,
        tell: () => undefined,
      },
      key,
    );
    assert.deepEqual(seen, ["2", "orders@3"]);
  });
});
