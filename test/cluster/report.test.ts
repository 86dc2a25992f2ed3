import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { report } from "../../functions/report/report.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import type { Key } from "../../functions/shared/api/key.ts";
import { pass } from "../../functions/shared/kube/pass.ts";
import type { PassOutcome } from "../../functions/shared/kube/pass.ts";
import { invalidSamples } from "../support/read-samples.ts";
import { PassScene } from "./pass-scene.ts";

const standard = (isDefault: boolean): Readonly<Record<string, unknown>> => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: {
    name: "standard",
    annotations: { "storageclass.kubernetes.io/is-default-class": String(isDefault) },
  },
  provisioner: "example.com/none",
});

describe("report on a real API server", () => {
  let scene: PassScene;
  before(async () => {
    scene = await PassScene.start();
  });
  after(() => scene.stop());

  const namespaceWith = async (namespace: string, kind: string, spec: unknown): Promise<void> => {
    await scene.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await scene.apply({ apiVersion: "v1", kind, metadata: { name: "tight", namespace }, spec });
    if (kind === "ResourceQuota") {
      const hard = "--for=jsonpath={.status.hard}";
      await scene.kubectl(["wait", "quota/tight", "-n", namespace, hard, "--timeout=300s"]);
    }
  };

  const eventsOf = async ({ namespace }: Key): Promise<readonly string[]> => {
    const path =
      "jsonpath={range .items[*]}{.involvedObject.name} {.type} {.reason} {.reportingComponent}{'\\n'}{end}";
    const about = "involvedObject.kind=SampleDB";
    const text = await scene.kubectl([
      "get",
      "events",
      "-n",
      namespace,
      "--field-selector",
      about,
      "-o",
      path,
    ]);
    return text.trim().split("\n").toSorted();
  };

  const patchStatus = (kind: string, { namespace }: Key, name: string, status: unknown): Promise<string> =>
    scene.kubectl([
      "patch",
      kind,
      name,
      "-n",
      namespace,
      "--subresource=status",
      "--type=merge",
      "-p",
      JSON.stringify({ status }),
    ]);

  it("tells that there is no default StorageClass, until there is one", async () => {
    const key = await scene.orders("no-default");
    await scene.untilReason(key, "Stalled", "StorageClassMissing", /no default one/u);
    await scene.apply(standard(true));
    await scene.untilReason(key, "Stalled", "NotStalled");
    await scene.kubectl(["delete", "storageclass", "standard"]);
  });

  it("tells that the named StorageClass does not exist, until it does", async () => {
    const key = await scene.orders("no-class", { storage: { storageClassName: "standard" } });
    await scene.untilReason(key, "Ready", "StorageClassMissing", /^StorageClass standard, which/u);
    await scene.apply(standard(false));
    await scene.untilReason(key, "Stalled", "NotStalled");
    await scene.kubectl(["delete", "storageclass", "standard"]);
  });

  it("tells that a quota refuses the claim, until it is raised", async () => {
    await namespaceWith("claim-quota", "ResourceQuota", { hard: { persistentvolumeclaims: "0" } });
    const key = await scene.orders("claim-quota");
    await scene.untilReason(
      key,
      "Stalled",
      "QuotaExceeded",
      /^PersistentVolumeClaim orders-1-1: .*exceeded quota: tight/u,
    );
    await namespaceWith("claim-quota", "ResourceQuota", { hard: { persistentvolumeclaims: "1" } });
    await scene.untilReason(key, "Ready", "StorageClassMissing");
  });

  it("tells from the StatefulSet's Event that a quota refuses the pod", async () => {
    await namespaceWith("pod-quota", "ResourceQuota", { hard: { pods: "0" } });
    const key = await scene.ordersWithVolume("pod-quota");
    await scene.untilReason(
      key,
      "Stalled",
      "QuotaExceeded",
      /^StatefulSet orders-1: .*exceeded quota: tight.*Raise the ResourceQuota/u,
    );
  });

  it("tells from the StatefulSet's Event that something else refuses the pod", async () => {
    const limits = [{ type: "Container", max: { memory: "16Mi" } }];
    await namespaceWith("small", "LimitRange", { limits });
    const key = await scene.ordersWithVolume("small");
    await scene.untilReason(key, "Stalled", "CreateRefused", /maximum memory usage per Container is 16Mi/u);
  });

  it("follows the pod from a bad image over waiting for init to Ready, and then is quiet", async () => {
    const key = await scene.runningOrders("pod-story");
    const waiting = { reason: "ImagePullBackOff", message: "not found" };
    const container = { name: "postgresql", image: "example.com/none:17", imageID: "", restartCount: 0 };
    await patchStatus("pod", key, "orders-1-0", {
      phase: "Pending",
      containerStatuses: [{ ...container, ready: false, state: { waiting } }],
    });
    await scene.untilReason(
      key,
      "Stalled",
      "ImagePullFailed",
      /^Image example.com\/none:17 cannot be pulled: not found\./u,
    );

    await patchStatus("pod", key, "orders-1-0", {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
      containerStatuses: [{ ...container, ready: true, started: true, state: { running: {} } }],
    });
    await scene.untilReason(key, "Ready", "WaitingForInit");

    const uid = (await scene.port().sampledb(key))?.metadata.uid ?? "";
    const facts = ["sampledb.dev/init-scripts=none", `sampledb.dev/credentials-verified=${uid}`];
    await scene.kubectl(["annotate", "pvc", "orders-1-1", "-n", key.namespace, ...facts]);
    await scene.untilReason(key, "Ready", "DatabaseReady");
    const wait = ["wait", "sdb/orders", "-n", key.namespace, "--for=condition=Ready", "--timeout=60s"];
    assert.match(await scene.kubectl(wait), /condition met/u);

    const { status } = (await scene.port().sampledb(key)) ?? {};
    assert.deepEqual(status?.binding, { name: "orders" });
    assert.equal(status.endpoint, `orders.${key.namespace}.svc:5432`);
    assert.equal(status.version, "17");
    assert.deepEqual(status.storage, { claim: "orders-1-1", capacity: "1Gi" });
    assert.deepEqual(await scene.pass(key), []);
    const events = await eventsOf(key);
    for (const news of ["Warning ImagePullFailed", "Normal WaitingForInit", "Normal DatabaseReady"]) {
      assert.equal(
        events.filter((event) => event === `orders ${news} sampledb-report`).length,
        1,
        events.join("\n"),
      );
    }
  });

  it("alone, does not call a spec ready that provision has not carried out, until it has", async () => {
    // The database that became Ready in the test before.
    const key = { namespace: "pod-story", name: "orders" };
    await scene.applyOrders(key.namespace, { deletion: { policy: "Wipe" } });
    const reportAlone = async (): Promise<PassOutcome> =>
      pass(
        {
          clusterUntil: () => scene.port(),
          functions: [report],
          catalog: () => BUILT_IN_CATALOG,
          tell: (note) => assert.equal(note.note, "wrote", JSON.stringify(note)),
        },
        key,
      );
    for (let passes = 0; passes < 3; passes += 1) assert.equal(await reportAlone(), "settled");
    const conditions = (await scene.port().sampledb(key))?.status?.conditions ?? [];
    const told = conditions.map(({ type, status, observedGeneration }) => [type, status, observedGeneration]);
    assert.deepEqual(told.slice(0, 2), [
      ["Ready", "True", 1],
      ["Reconciling", "True", 2],
    ]);
    await scene.untilReason(key, "Reconciling", "UpToDate");
    const { status } = (await scene.port().sampledb(key)) ?? {};
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    assert.deepEqual([ready?.status, ready?.observedGeneration], ["True", 2]);
  });

  it("tells a turn once, however many passes tell it at the same time", async () => {
    const key = await scene.orders("doubled");
    await scene.until(key, "StorageClassMissing", async () => {
      await Promise.all([scene.pass(key), scene.pass(key), scene.pass(key)]);
      const conditions = (await scene.port().sampledb(key))?.status?.conditions ?? [];
      return conditions.find(({ reason }) => reason === "StorageClassMissing");
    });
    const events = (await eventsOf(key)).filter((event) => event.includes("StorageClassMissing"));
    assert.equal(events.length, 1, events.join("\n"));
  });

  const uncaught = invalidSamples().filter(({ withoutAdmission }) => withoutAdmission === "created");
  for (const { file, expected, object } of uncaught) {
    it(`stalls what only the functions can judge, with admission's text, and nothing is made: ${file}`, async () => {
      const key = await scene.ordersLike(`bypassed-${file.replace(".yaml", "")}`, object);
      const invalid = await scene.untilReason(key, "Stalled", "InvalidSpec");
      for (const text of expected) assert.ok(invalid.message.includes(text), invalid.message);
      assert.deepEqual(await scene.childrenOf(key), []);
      assert.deepEqual(await scene.pass(key), []);
    });
  }
});
