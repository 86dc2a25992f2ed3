import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { initialize } from "../../functions/initialize/initialize.ts";
import { provision } from "../../functions/provision/provision.ts";
import { report } from "../../functions/report/report.ts";
import { retire } from "../../functions/retire/retire.ts";
import { BUILT_IN_CATALOG } from "../../functions/shared/api/catalog.ts";
import { apiServer } from "../../functions/shared/kube/api-server.ts";
import type { ApiServer } from "../../functions/shared/kube/api-server.ts";
import { kubeCluster } from "../../functions/shared/kube/kube-cluster.ts";
import { pass } from "../../functions/shared/kube/pass.ts";
import type { ReconcileFunction } from "../../functions/shared/kube/reconcile-function.ts";
import { accountKubeconfig } from "../support/account-kubeconfig.ts";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { startFunction } from "../support/function-process.ts";
import { grantedBy } from "../support/kustomize/granted-by.ts";
import { rightsUsed } from "../support/kustomize/rights-used.ts";
import { renderOwn } from "../support/kustomize/render.ts";
import { DATABASES, NAMES, SCRIPTS, STORAGE, jobOf, listOf } from "./rights-scene.ts";
import { installCrds } from "../support/deploy/install-crds.ts";

const SYSTEM = "sampledb-system";
const FUNCTIONS: readonly ReconcileFunction[] = [provision, initialize, retire, report];

const READY = { type: "Ready", status: "True" };
const INIT = "sampledb.dev/role=init";

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
    await installCrds(kubectl);
    const paths = ["overlays/kubernetes", "components/each-function"] as const;
    await kubectl(["apply", "-f", "-"], await renderOwn(kubectl, { paths }));
    await kubectl(["delete", "validatingadmissionpolicybinding", "sampledb-install"]);
    // The API server knows a new role a moment after it took it; what is asked before that is refused.
    const verbs = {
      source: "list",
      resync: "list",
      ...Object.fromEntries(FUNCTIONS.map(({ name }) => [name, "get"])),
    };
    for (const [account, verb] of Object.entries(verbs)) {
      const as = `--as=system:serviceaccount:${SYSTEM}:${account}`;
      const may = (): Promise<string> => kubectl(["auth", "can-i", verb, "sampledbs.sampledb.dev", as]);
      await waitUntil(may, { what: `the rights of ${account}`, timeoutMs: 300_000 });
    }
    apis = await Promise.all(FUNCTIONS.map(async (fn) => ({ fn, api: await apiOf(fn.name) })));
    const create = (): Promise<string> => kubectl(["apply", "-f", "-"], listOf([...SCRIPTS, ...DATABASES]));
    await waitUntil(create, { what: "the end of the install policy", timeoutMs: 300_000 });
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
      { what, timeoutMs: 300_000 },
    );

  const names = async (kind: string, ...more: readonly string[]): Promise<readonly string[]> =>
    (await kubectl(["get", kind, "-o", "name", ...more])).split("\n").filter((name) => name !== "");

  /** What the kubelet would say of the pods that a selector selects. */
  const setStatus = async (selector: string, status: unknown): Promise<void> => {
    const patch = ["--subresource=status", "--type=merge", "-p", JSON.stringify({ status })];
    for (const pod of await names("pods", "-l", selector)) await kubectl(["patch", pod, ...patch]);
  };

  it("brings it up", async () => {
    await passesUntil("a pod of each", async () => (await names("pods")).length === 2);
    await kubectl(["apply", "-f", "-"], listOf(STORAGE));
    const bound = ["get", "pvc", "-o", "jsonpath={.items[*].status.phase}"];
    await passesUntil("both claims bound", async () => (await kubectl(bound)) === "Bound Bound");
    await setStatus("sampledb.dev/role=primary", { phase: "Running", conditions: [READY] });
    await passesUntil("both init Jobs", async () => (await names("pods", "-l", INIT)).length === 2);
    await setStatus(INIT, { phase: "Succeeded" });
    const ran = [
      "get",
      "pvc",
      "-o",
      `jsonpath={.items[*].metadata.annotations['sampledb\\.dev/init-scripts']}`,
    ];
    await passesUntil("the record of both", async () => (await kubectl(ran)).includes(" "));
    await passesUntil("the end of the Jobs", async () => (await names("jobs")).length === 0);
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

  it("tells what is left of one whose finalizer was removed by hand", async () => {
    await passesUntil("the StatefulSet", async () => (await names("statefulsets")).length === 1);
    await kubectl(["delete", "sampledb", "stock", "--wait=false"]);
    const patch = ["--type=merge", "-p", JSON.stringify({ metadata: { finalizers: [] } })];
    await kubectl(["patch", "sampledb", "stock", ...patch]);
    const orphaned = ["events", "--field-selector=reason=Orphaned"] as const;
    await passesUntil(
      "Events on claim, StatefulSet and Secrets",
      async () => (await names(...orphaned)).length === 4,
    );
  });

  it("is watched and swept", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sampledb-rights-"));
    const env = { KUBECONFIG: join(folder, "kubeconfig"), SINK: "http://127.0.0.1:9" };
    await writeFile(env.KUBECONFIG, await accountKubeconfig(kubectl, "source", SYSTEM));
    const watched = grantedBy("source").filter((right) => right.startsWith("watch "));
    const isWatching = async (): Promise<true | undefined> =>
      (await rightsUsed(cluster.auditLogFile, "source")).used.filter((right) => right.startsWith("watch "))
        .length === watched.length
        ? true
        : undefined;
    const source = startFunction("source", env);
    await waitUntil(isWatching, { what: "the watches", timeoutMs: 300_000 }).finally(() =>
      source.kill("SIGKILL"),
    );
    await writeFile(env.KUBECONFIG, await accountKubeconfig(kubectl, "resync", SYSTEM));
    await using resync = startFunction("resync", env, ["once"]);
    assert.equal(await resync.ended, 1, "nobody is at the sink");
    await rm(folder, { recursive: true });
  });

  for (const name of [...FUNCTIONS.map((fn) => fn.name), "source", "resync"]) {
    it(`is refused nothing of ${name}'s, and grants it nothing that it does not use`, async () => {
      const { used, forbidden } = await rightsUsed(cluster.auditLogFile, name);
      assert.deepEqual(forbidden, []);
      assert.deepEqual(used, grantedBy(name));
    });
  }
});
