import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import { type ApiServer, apiServer } from "../../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../../functions/shared/kube/read-access.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { functionsDown } from "../../support/deploy/functions-down.ts";
import { remains, untilOnly } from "../../support/remains.ts";
import { sendEvent } from "../../support/send-event.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { untilAtRest } from "../../support/tells.ts";
import { volumeOf } from "../../support/volume.ts";

const NO_IMAGE = "registry.example.com/postgres:17.99";
const PATH = "/apis/sampledb.dev/v1/namespaces/anytime/sampledbs";

const WIPE = { deletion: { policy: "Wipe" } } as const;
/** Where each test's SampleDB is, and its spec: all are made at once, so that no test waits for a start alone. */
const SCENES = {
  never: ["anytime", "never", { image: NO_IMAGE, ...WIPE }],
  unborn: ["anytime", "unborn", { image: NO_IMAGE }],
  apart: ["anytime", "apart", WIPE],
  late: ["anytime", "late", WIPE],
  ending: ["ending", "orders", {}],
  bare: ["ending-bare", "orders", WIPE],
} as const satisfies Record<string, readonly [string, string, SampleDBSpec]>;

const deleteNow = ({ kubectl, name }: Database, ...options: readonly string[]): Promise<string> =>
  kubectl("delete", "sdb", name, "--timeout=300s", ...options);

const uids = async ({ kubectl, name }: Database): Promise<readonly string[]> => {
  const kinds = "statefulsets,pods,persistentvolumeclaims,secrets,configmaps,services,poddisruptionbudgets";
  const list = ["get", kinds, "-l", `sampledb.dev/database=${name}`];
  const found = await kubectl(...list, "-o", "jsonpath={range .items[*]}{.kind} {.metadata.uid}{'\\n'}{end}");
  return found.trim().split("\n").toSorted();
};

describe("a SampleDB that is deleted at any time", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let api: ApiServer;
  const scene = (id: keyof typeof SCENES): Promise<Database> => {
    const [namespace, name] = SCENES[id];
    return database(cluster, namespace, name);
  };
  const call = (method: "POST" | "DELETE", path: string, body?: unknown): Promise<string> =>
    api.call({ method, path, body, signal: AbortSignal.timeout(60_000) });

  before(async () => {
    cluster = await sharedNode();
    api = apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig }));
    await Promise.all(
      Object.values(SCENES).map(async ([namespace, name, spec]) =>
        (await database(cluster, namespace, name)).apply(spec),
      ),
    );
  });
  after(async () => {
    api.close();
    await dropNamespaces("anytime", "ending", "ending-bare");
  });

  it("leaves nothing under Wipe where its database never became ready", async () => {
    const db = await scene("never");
    await db.until("Ready", "False", "ImagePullFailed");
    const { folder } = await volumeOf(cluster, db);
    await deleteNow(db);
    await untilOnly(cluster, db, []);
    await waitUntil(() => Promise.resolve(existsSync(folder) ? undefined : true), {
      what: `the end of ${folder}`,
      timeoutMs: 300_000,
    });
  });

  it("hands its empty volume to the next one under Retain where its database never became ready", async () => {
    const db = await scene("unborn");
    await db.until("Ready", "False", "ImagePullFailed");
    const { claimUid, name } = await volumeOf(cluster, db);
    await deleteNow(db);
    await untilOnly(cluster, db, [
      `persistentvolume/${name}`,
      "persistentvolumeclaim/unborn-1-1",
      "secret/unborn",
      "secret/unborn-superuser",
    ]);
    await db.apply(WIPE);
    await db.untilReady();
    assert.equal((await volumeOf(cluster, db)).claimUid, claimUid);
    assert.equal(await db.sql("SELECT 1"), "1");
    await deleteNow(db, "--wait=false");
  });

  for (const policy of ["Wipe", "Retain"]) {
    it(`leaves nothing under ${policy} where it was made less than 200 ms before`, async () => {
      const names = [0, 30, 60, 100, 150].map((ms) => ({ ms, name: `brief-${policy.toLowerCase()}-${ms}` }));
      for (const { ms, name } of names) {
        const spec = { deletion: { policy } };
        const object = { apiVersion: "sampledb.dev/v1", kind: "SampleDB", metadata: { name }, spec };
        await call("POST", PATH, object);
        await wait(ms);
        await call("DELETE", `${PATH}/${name}`);
      }
      for (const { name } of names) await untilOnly(cluster, { namespace: "anytime", name }, []);
    });
  }

  it("is cleaned up when the functions are back, where they were down meanwhile", async () => {
    const db = await scene("apart");
    await db.untilReady();
    const up = await functionsDown(cluster, { reconcile: 1, source: 1 });
    try {
      await deleteNow(db, "--wait=false");
      await db.kubectl("delete", "service", "apart");
      assert.ok((await remains(cluster, db)).includes("pod/apart-1-0"));
    } finally {
      await up();
    }
    await untilOnly(cluster, db, []);
  });

  it("loses nothing of its successor to a late event about itself", async () => {
    const db = await scene("late");
    await db.untilReady();
    const old = await db.get();
    await deleteNow(db);
    await db.apply(WIPE);
    await db.untilReady();
    await db.sql("CREATE TABLE kept AS SELECT 1 AS n");
    await untilAtRest(db);
    const children = await uids(db);
    const gone = {
      ...old,
      metadata: { ...old.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
    };
    for (const type of ["update", "delete", "delete"]) {
      assert.equal(await sendEvent(cluster, `dev.knative.apiserver.resource.${type}`, gone), 204);
    }
    assert.deepEqual(await uids(db), children);
    assert.equal(await db.sql("SELECT n FROM kept"), "1");
    await deleteNow(db, "--wait=false");
  });

  it("lets its namespace end, and Retain keeps the volume, which says whose it was", async () => {
    const db = await scene("ending");
    await db.untilReady();
    await db.sql("CREATE TABLE kept AS SELECT 1 AS n");
    const { name, folder } = await volumeOf(cluster, db);
    await cluster.kubectl(["delete", "namespace", "ending", "--timeout=600s"]);
    // A moment after its claim has gone.
    const released = "--for=jsonpath={.status.phase}=Released";
    await cluster.kubectl(["wait", `pv/${name}`, released, "--timeout=300s"]);
    const facts = "{.spec.persistentVolumeReclaimPolicy} {.metadata.labels}";
    const volume = await cluster.kubectl(["get", "pv", name, "-o", `jsonpath=${facts}`]);
    assert.match(volume, /^Retain /u);
    assert.match(volume, /"sampledb.dev\/database":"orders"/u);
    assert.match(volume, /"sampledb.dev\/namespace":"ending"/u);
    assert.ok(existsSync(`${folder}/pgdata/PG_VERSION`));
    await cluster.kubectl(["delete", "pv", name]);
  });

  it("lets its namespace end where its Secrets went first", async () => {
    const db = await scene("bare");
    await db.untilReady();
    await db.kubectl("delete", "secrets", "-l", "sampledb.dev/database=orders", "--wait=false");
    await cluster.kubectl(["delete", "namespace", "ending-bare", "--timeout=600s"]);
  });
});
