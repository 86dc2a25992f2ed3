import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ANNOTATION, LABEL } from "../../functions/shared/api/markers.ts";
import type { Action } from "../../functions/shared/kube/action.ts";
import type { Cluster } from "../../functions/shared/kube/cluster.ts";
import { drifted, refOf, withAppliedHash } from "../../functions/shared/kube/drift.ts";
import { kubeCluster } from "../../functions/shared/kube/kube-cluster.ts";
import type { Writable } from "../../functions/shared/kube/action.ts";
import { useApiLevel, writtenSampleDB } from "../support/api-level.ts";
import { until } from "../support/until.ts";

const orders = { namespace: "shop", name: "orders" };
const MANAGER = "sampledb-provision";
const labels = { [LABEL.database]: "orders" };
const at = (name: string) => ({ name, namespace: "shop", labels });
const service = (name: string, port = 5432): Extract<Writable, { kind: "Service" }> =>
  withAppliedHash({ apiVersion: "v1", kind: "Service", metadata: at(name), spec: { ports: [{ port }] } });
const secret = (name: string): Extract<Writable, { kind: "Secret" }> => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: at(name),
  stringData: { password: "a" },
});

describe("the cluster port on a real API server", () => {
  const level = useApiLevel();
  const cluster = (): Cluster => kubeCluster(level().api, AbortSignal.timeout(60_000));
  const carryOut = (action: Action): Promise<unknown> => cluster().carryOut(action, MANAGER);
  const observe = () => cluster().observe(orders, new Set(["Secret", "Service", "ConfigMap"] as const));
  const serviceNamed = async (name: string) => {
    const { objects } = await observe();
    return objects.Service.find(({ metadata }) => metadata?.name === name);
  };

  const failedCreate = async () => {
    const { objects } = await cluster().observe(orders, new Set(["Event"] as const));
    return objects.Event.find(
      ({ reason, message }) => reason === "FailedCreate" && message?.includes("exceeded quota") === true,
    );
  };

  it("finds neither a SampleDB nor children where there are none", async () => {
    const { sampledb, objects } = await observe();
    assert.equal(sampledb, undefined);
    assert.deepEqual(objects.Service, []);
  });

  it("creates once: what exists is a conflict, to be read again", async () => {
    await carryOut({ do: "create", object: secret("orders") });
    await assert.rejects(carryOut({ do: "create", object: secret("orders") }), {
      sort: "conflict",
      reason: "AlreadyExists",
    });
    const { objects } = await observe();
    assert.equal(objects.Secret.length, 1);
    assert.equal(objects.Secret[0]?.kind, "Secret");
    const managers = objects.Secret[0]?.metadata?.managedFields?.map(({ manager }) => manager);
    assert.deepEqual(managers, [MANAGER]);
  });

  it("sees no drift in what it just applied, and none after it applied a change", async () => {
    await carryOut({ do: "apply", object: service("orders"), uid: undefined });
    const first = await serviceNamed("orders");
    assert.ok(first);
    assert.equal(drifted(first, service("orders")), false);
    assert.equal(drifted(first, service("orders", 5433)), true);
    await carryOut({ do: "apply", object: service("orders", 5433), uid: first.metadata?.uid });
    const second = await serviceNamed("orders");
    assert.ok(second);
    assert.equal(drifted(second, service("orders", 5433)), false);
    assert.equal(second.metadata?.uid, first.metadata?.uid);
  });

  it("does not revive by an apply what was deleted since it was read", async () => {
    await carryOut({ do: "apply", object: service("late"), uid: undefined });
    const found = await serviceNamed("late");
    assert.ok(found);
    await carryOut({ do: "delete", ref: refOf("Service", found), propagation: "Background" });
    const apply: Action = { do: "apply", object: service("late", 5433), uid: found.metadata?.uid };
    await assert.rejects(carryOut(apply), { sort: "conflict" });
    assert.equal(await serviceNamed("late"), undefined);
  });

  it("merges and deletes only what is still as it was read", async () => {
    await carryOut({ do: "apply", object: service("changing"), uid: undefined });
    const found = await serviceNamed("changing");
    assert.ok(found);
    const ref = refOf("Service", found);
    const patch = { metadata: { annotations: { [ANNOTATION.state]: "active" } } };
    await carryOut({ do: "merge", ref, patch });
    await assert.rejects(carryOut({ do: "merge", ref, patch }), { sort: "conflict" });
    await assert.rejects(carryOut({ do: "delete", ref, propagation: "Background" }), { sort: "conflict" });
    const changed = await serviceNamed("changing");
    assert.ok(changed);
    assert.equal(changed.metadata?.annotations?.[ANNOTATION.state], "active");
    const now = refOf("Service", changed);
    await carryOut({ do: "delete", ref: now, propagation: "Background" });
    await carryOut({ do: "delete", ref: now, propagation: "Background" });
    await assert.rejects(carryOut({ do: "merge", ref: now, patch }), { sort: "conflict" });
    // Another object of the same name is not the one that was read.
    await carryOut({ do: "apply", object: service("changing"), uid: undefined });
    await assert.rejects(carryOut({ do: "merge", ref: now, patch }), { sort: "conflict" });
    await assert.rejects(carryOut({ do: "delete", ref: now, propagation: "Background" }), {
      sort: "conflict",
    });
  });

  it("writes a SampleDB's status by its subresource", async () => {
    await level().apply(writtenSampleDB("orders"));
    const { sampledb } = await observe();
    assert.ok(sampledb);
    const patch = { status: { observedGeneration: 1, version: "17" } };
    await carryOut({ do: "merge", ref: refOf("SampleDB", sampledb), patch, subresource: "status" });
    assert.equal((await observe()).sampledb?.status?.version, "17");
  });

  it("says why the API server refused a write", async () => {
    const object = service("Not_A_Name");
    await assert.rejects(carryOut({ do: "create", object }), {
      sort: "refused",
      code: 422,
      reason: "Invalid",
      message: /Not_A_Name/u,
    });
    const elsewhere = { ...secret("x"), metadata: { name: "x", namespace: "nowhere" } };
    await assert.rejects(carryOut({ do: "create", object: elsewhere }), { sort: "refused", code: 404 });
  });

  it("reads volumes, classes, events and init scripts only where they can matter", async () => {
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { ...at("orders-1-1"), annotations: { [ANNOTATION.state]: "active" } },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        volumeName: "pv-orders",
      },
    };
    const { apply, cluster: local } = level();
    await local.kubectl(["create", "configmap", "schema", "-n", "shop", "--from-literal=a.sql=SELECT 1"]);
    await local.kubectl([
      "create",
      "secret",
      "generic",
      "seed",
      "-n",
      "shop",
      "--from-literal=b.sql=SELECT 'ü'",
    ]);
    await apply({
      ...writtenSampleDB("orders"),
      spec: {
        init: [
          { configMapKeyRef: { name: "schema", key: "a.sql" } },
          { secretKeyRef: { name: "seed", key: "b.sql" } },
          { configMapKeyRef: { name: "schema", key: "missing.sql" } },
          { configMapKeyRef: { name: "missing", key: "a.sql" } },
        ],
      },
    });
    await apply({
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "slow" },
      provisioner: "example.com/slow",
    });
    await apply(claim);
    const reads = new Set([
      "PersistentVolume",
      "StorageClass",
      "InitSource",
      "PersistentVolumeClaim",
      "Event",
    ] as const);
    const see = () => cluster().observe(orders, reads);
    const before = await see();
    assert.deepEqual(
      before.objects.InitSource.map(({ content }) => content),
      ["SELECT 1", "SELECT 'ü'", undefined, undefined],
    );
    assert.deepEqual(
      before.objects.StorageClass.map(({ metadata }) => metadata?.name),
      ["slow"],
    );
    assert.deepEqual(before.objects.PersistentVolume, []);
    const [pending] = before.objects.PersistentVolumeClaim;
    assert.ok(pending);
    // Before there is a volume, which others bind to the claim: they change it too.
    const patch = { metadata: { annotations: { [ANNOTATION.initScripts]: "none" } } };
    await carryOut({ do: "merge", ref: refOf("PersistentVolumeClaim", pending), patch });
    await apply({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "pv-orders" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/tmp/none" },
        claimRef: { namespace: "shop", name: "orders-1-1" },
      },
    });
    await local.kubectl([
      "wait",
      "-n",
      "shop",
      "pvc/orders-1-1",
      "--for=jsonpath={.status.phase}=Bound",
      "--timeout=300s",
    ]);
    const bound = await see();
    assert.deepEqual(bound.objects.InitSource, []);
    assert.deepEqual(bound.objects.StorageClass, []);
    assert.deepEqual(bound.objects.Event, []);
    assert.equal(bound.objects.PersistentVolume[0]?.spec?.claimRef?.name, "orders-1-1");
  });

  it("tells why a StatefulSet gets no pod", async () => {
    const { apply } = level();
    await apply({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "none", namespace: "shop" },
      spec: { hard: { pods: "0" } },
    });
    // Until it was counted, another refusal is told.
    const counted = "--for=jsonpath={.status.hard}";
    await level().cluster.kubectl(["wait", "quota/none", "-n", "shop", counted, "--timeout=300s"]);
    await apply({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: at("orders-1"),
      spec: {
        serviceName: "orders-headless",
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "postgres", image: "x" }] } },
      },
    });
    const event = await until("the FailedCreate event", failedCreate, 300_000);
    assert.match(event.message ?? "", /exceeded quota: none/u);
  });
});
