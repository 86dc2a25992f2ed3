import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { provision } from "../../functions/provision/provision.ts";
import { report } from "../../functions/report/report.ts";
import { retire } from "../../functions/retire/retire.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import { ANNOTATION, LABEL } from "../../functions/shared/api/markers.ts";
import { apiServer } from "../../functions/shared/kube/api-server.ts";
import type { ApiServer } from "../../functions/shared/kube/api-server.ts";
import { kubeCluster } from "../../functions/shared/kube/kube-cluster.ts";
import { pass } from "../../functions/shared/kube/pass.ts";
import type { ReconcileFunction } from "../../functions/shared/kube/reconcile-function.ts";
import type { AuditEvent } from "../support/audit-log.ts";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { grantedBy } from "../support/kustomize/granted-by.ts";
import { renderOwn } from "../support/kustomize/render.ts";

const SYSTEM = "sampledb-system";
const FUNCTIONS: readonly ReconcileFunction[] = [provision, retire, report];

const POLICIES = { orders: "Wipe", stock: "Retain" } as const;
const NAMES = ["orders", "stock"] as const;

const listOf = (items: readonly unknown[]): string =>
  JSON.stringify({ apiVersion: "v1", kind: "List", items });

const SCRIPTS = [
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "sql" }, data: { first: "SELECT 1" } },
  { apiVersion: "v1", kind: "Secret", metadata: { name: "sql" }, stringData: { second: "SELECT 2" } },
];

const DATABASES = NAMES.map((name) => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name },
  spec: {
    storage: { size: "1Gi", storageClassName: "by-hand" },
    init: [
      { configMapKeyRef: { name: "sql", key: "first" } },
      { secretKeyRef: { name: "sql", key: "second" } },
    ],
    deletion: { policy: POLICIES[name] },
  },
}));

const STORAGE = [
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "by-hand" },
    provisioner: "kubernetes.io/no-provisioner",
  },
  ...NAMES.map((name) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      claimRef: { namespace: "default", name: `${name}-1-1` },
      hostPath: { path: "/nowhere" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "by-hand",
    },
  })),
];

/** What `initialize` leaves behind. */
const jobOf = (ownerUid: string): unknown => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    name: "orders-init",
    labels: { [LABEL.database]: "orders" },
    annotations: { [ANNOTATION.ownerUid]: ownerUid },
  },
  spec: {
    suspend: true,
    template: {
      spec: { restartPolicy: "Never", containers: [{ name: "psql", image: "registry.example.com/psql:1" }] },
    },
  },
});

/** The rights that a request used, `verb resource`. */
const rightsUsed = ({ verb, objectRef, responseStatus }: AuditEvent): readonly string[] => {
  const resource = [objectRef?.resource, objectRef?.subresource].filter(Boolean).join("/");
  // An apply that makes the object needs the right to create it too.
  const isMaking = verb === "patch" && responseStatus?.code === 201;
  return isMaking ? [`patch ${resource}`, `create ${resource}`] : [`${verb} ${resource}`];
};

describe("each function alone, with its own rights, through a database's life", () => {
  let cluster: LocalCluster;
  let apis: readonly { readonly fn: ReconcileFunction; readonly api: ApiServer }[] = [];
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);

  const apiOf = async (account: string): Promise<ApiServer> => {
    const token = await kubectl(["create", "token", account, "-n", SYSTEM]);
    const ca = await kubectl([
      "config",
      "view",
      "--raw",
      "--flatten",
      "-o",
      "jsonpath={.clusters[0].cluster.certificate-authority-data}",
    ]);
    const access = {
      target: { base: new URL(cluster.server), tls: { ca: Buffer.from(ca, "base64").toString() } },
      headers: { authorization: `Bearer ${token.trim()}` },
    };
    return apiServer(() => Promise.resolve(access));
  };

  before(async () => {
    cluster = await startCluster({ level: "api" });
    await kubectl(["apply", "-k", "manifests/crds"]);
    await kubectl(["wait", "--for=condition=Established", "crd/sampledbs.sampledb.dev"]);
    const paths = ["overlays/kubernetes", "components/each-function"] as const;
    await kubectl(["apply", "-f", "-"], await renderOwn(kubectl, { paths }));
    await kubectl(["delete", "validatingadmissionpolicybinding", "sampledb-install"]);
    apis = await Promise.all(FUNCTIONS.map(async (fn) => ({ fn, api: await apiOf(fn.name) })));
    const create = (): Promise<string> => kubectl(["apply", "-f", "-"], listOf([...SCRIPTS, ...DATABASES]));
    await waitUntil(create, { what: "the end of the install policy", timeoutMs: 30_000 });
  });
  after(async () => {
    for (const { api } of apis) api.close();
    await cluster.stop();
  });

  /** One pass of every function on both databases. */
  const passes = async (): Promise<void> => {
    for (const { fn, api } of apis)
      for (const name of NAMES)
        await pass(
          {
            clusterUntil: (signal) => kubeCluster(api, signal),
            functions: [fn],
            catalog: () => BUILT_IN_CATALOG,
            tell: (note) => assert.equal(note.note, "wrote", JSON.stringify(note)),
          },
          { namespace: "default", name },
        );
  };

  const passesUntil = (what: string, isDone: () => Promise<boolean>): Promise<true> =>
    waitUntil(
      async () => {
        await passes();
        return (await isDone()) ? true : undefined;
      },
      { what, timeoutMs: 60_000 },
    );

  const names = async (kind: string, ...more: readonly string[]): Promise<readonly string[]> =>
    (await kubectl(["get", kind, "-o", "name", ...more])).split("\n").filter((name) => name !== "");

  it("brings it up", async () => {
    await passesUntil("a pod of each", async () => (await names("pods")).length === 2);
    await kubectl(["apply", "-f", "-"], listOf(STORAGE));
    const bound = ["get", "pvc", "-o", "jsonpath={.items[*].status.phase}"];
    await passesUntil("both claims bound", async () => (await kubectl(bound)) === "Bound Bound");
    const ready = { type: "Ready", status: "True" };
    for (const pod of await names("pods")) {
      const status = JSON.stringify({ status: { phase: "Running", conditions: [ready] } });
      await kubectl(["patch", pod, "--subresource=status", "--type=merge", "-p", status]);
    }
    const kept = ["get", "pv", "-o", "jsonpath={.items[*].spec.persistentVolumeReclaimPolicy}"];
    await passesUntil("both volumes kept", async () => (await kubectl(kept)) === "Retain Retain");
  });

  it("takes it down", async () => {
    const uid = await kubectl(["get", "sampledb", "orders", "-o", "jsonpath={.metadata.uid}"]);
    await kubectl(["create", "-f", "-"], JSON.stringify(jobOf(uid)));
    // Pods that nothing but `retire` would end.
    await kubectl(["delete", "statefulset", "orders-1", "--cascade=orphan"]);
    await kubectl(["delete", "sampledb", "--all", "--wait=false"]);
    await passesUntil("the end of both", async () => (await names("sampledb")).length === 0);
    assert.deepEqual(await names("pvc"), ["persistentvolumeclaim/stock-1-1"]);
  });

  it("takes up again what it kept", async () => {
    await kubectl(
      ["apply", "-f", "-"],
      listOf(DATABASES.filter(({ metadata }) => metadata.name === "stock")),
    );
    const retained = ["secrets,pvc", "-l", "sampledb.dev/retained"] as const;
    await passesUntil("the adoption", async () => (await names(...retained)).length === 0);
  });

  for (const { name } of FUNCTIONS) {
    it(`is refused nothing of ${name}'s, and grants it nothing that it does not use`, async () => {
      const user = `system:serviceaccount:${SYSTEM}:${name}`;
      const events = (await readFile(cluster.auditLogFile, "utf8"))
        .trim()
        .split("\n")
        .map((line): AuditEvent => JSON.parse(line))
        .filter((event) => event.user.username === user);
      const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
      assert.deepEqual(
        refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`),
        [],
      );
      const used = new Set(events.flatMap((event) => rightsUsed(event)));
      assert.deepEqual([...used].toSorted(), grantedBy(name));
    });
  }
});
