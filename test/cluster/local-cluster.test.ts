import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";

import { freePort } from "../support/cluster/free-port.ts";
import { type LocalCluster, startCluster } from "../support/cluster/index.ts";
import { startInChild } from "../support/cluster/start-in-child.ts";
import { clusterIdOf, livingTraces, traces } from "../support/cluster/traces.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { sweepLeftovers } from "../support/cluster/work-folder.ts";

const none = (list: readonly string[]): true | undefined => (list.length === 0 ? true : undefined);

describe("a local cluster of level api", () => {
  let cluster: LocalCluster;
  before(async () => {
    cluster = await startCluster({ level: "api" });
  });
  after(() => cluster.stop());

  it("is ready", async () => {
    assert.equal(await cluster.kubectl(["get", "--raw", "/readyz"]), "ok");
  });

  it("has written a request to the audit log by the time it is answered", async () => {
    await cluster.kubectl(["create", "configmap", "orders", "--from-literal=a=b"]);
    const lines = (await readFile(cluster.auditLogFile, "utf8")).trim().split("\n");
    const made = lines.filter((line) =>
      line.includes('"resource":"configmaps","namespace":"default","name":"orders"'),
    );
    assert.equal(made.length, 1);
    assert.match(made.join(), /"level":"Metadata".*"verb":"create","user":\{"username":"admin"/);
  });

  it("runs controllers: a Deployment gets its ReplicaSet", async () => {
    await cluster.kubectl(["create", "deployment", "orders", "--image=localhost/none:1"]);
    const list = (): Promise<string | undefined> =>
      cluster
        .kubectl(["get", "replicasets", "-l", "app=orders", "-o", "name"])
        .then((names) => (names === "" ? undefined : names));
    assert.match(await waitUntil(list, { what: "the ReplicaSet", timeoutMs: 120_000 }), /^replicaset/);
  });

  it("keeps what was written when the API server is killed and started again", async () => {
    await cluster.kubectl(["create", "namespace", "shop"]);
    await cluster.stopComponent("kube-apiserver");
    await assert.rejects(cluster.kubectl(["get", "namespace", "shop", "--request-timeout=2s"]), /refused/);
    await cluster.startComponent("kube-apiserver");
    assert.match(await cluster.kubectl(["get", "namespace", "shop"]), /Active/);
  });

  it("says what kubectl said when that fails", async () => {
    await assert.rejects(cluster.kubectl(["get", "configmap", "absent"]), /configmaps "absent" not found/);
  });

  it("reaches this host at hostAddress", async () => {
    const server = createServer((_, answer) => answer.end("hello"));
    server.listen(0, cluster.hostAddress);
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const url = `http://${cluster.hostAddress}:${address.port}`;
    const program = `fetch(${JSON.stringify(url)}).then((answer) => answer.text()).then((text) => process.stdout.write(text))`;
    assert.equal(await cluster.exec([process.execPath, "-e", program]), "hello");
    server.close();
  });
});

describe("a free port", () => {
  it("is given once, though nobody listens on it", async (t) => {
    const free = await freePort();
    const again = (free - 20_000 + 0.5) / 12_000;
    const draws = [again, again, Math.random()].values();
    t.mock.method(Math, "random", () => draws.next().value ?? 0.5);
    assert.notEqual(await freePort(), free);
  });
});

describe("a local cluster's end", () => {
  it("leaves nothing after stop, and does not touch another cluster", async () => {
    const [one, other] = await Promise.all([startCluster({ level: "api" }), startCluster({ level: "api" })]);
    const id = clusterIdOf(one.kubeconfig);
    assert.notDeepEqual(traces(id), []);
    await one.stop();
    assert.deepEqual(traces(id), []);
    await sweepLeftovers();
    assert.equal(await other.kubectl(["get", "--raw", "/readyz"]), "ok");
    await other.stop();
    assert.deepEqual(traces(clusterIdOf(other.kubeconfig)), []);
  });

  it("comes by itself when the owner is killed, and the next sweep removes its folder", async () => {
    const { owner, kubeconfig } = await startInChild(["--level", "api"]);
    const id = clusterIdOf(kubeconfig);
    assert.ok(livingTraces(id).length >= 3);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    await waitUntil(() => Promise.resolve(none(livingTraces(id))), { what: "the end", timeoutMs: 120_000 });
    await sweepLeftovers();
    assert.deepEqual(traces(id), []);
  });
});
