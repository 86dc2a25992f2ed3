import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";

import { type LocalCluster, startCluster } from "../support/cluster/index.ts";
import { whyNoNode } from "../support/cluster/require-host.ts";
import { startInChild } from "../support/cluster/start-in-child.ts";
import { clusterIdOf, livingTraces, traces } from "../support/cluster/traces.ts";
import { waitUntil } from "../support/cluster/wait-until.ts";
import { sweepLeftovers } from "../support/cluster/work-folder.ts";
import { ensureImages } from "../support/images/ensure-images.ts";

const machinePanic = readFileSync("/proc/sys/kernel/panic", "utf8");
const skip = whyNoNode() ?? false;
const none = (list: readonly string[]): true | undefined => (list.length === 0 ? true : undefined);

const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOncePod"], resources: { requests: { storage: "1Gi" } } },
};

const pod = (name: string, image: string, spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: name } },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: "main",
        image,
        command: ["sh", "-c", "echo started; exec sleep 1000"],
        volumeMounts: "volumes" in spec ? [{ name: "data", mountPath: "/data" }] : [],
      },
    ],
    ...spec,
  },
});

const list = (...items: object[]): string => JSON.stringify({ apiVersion: "v1", kind: "List", items });

/** Node asks the API server under its Service's address or name, with the pod's own token. */
const askVersion = (host: string): string => `
  const { readFileSync } = require("node:fs");
  const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  const options = { ca: readFileSync(folder + "/ca.crt"), headers: { authorization: "Bearer " + readFileSync(folder + "/token") } };
  require("node:https").get("https://${host}/version", options, (answer) => answer.pipe(process.stdout));
`;

/** A program that prints what the URL answers. */
const ask = (url: string): string =>
  `fetch("${url}").then((answer) => answer.text()).then((text) => process.stdout.write(text))`;

describe("a local cluster of level node", { skip }, () => {
  let cluster: LocalCluster;
  let images: Awaited<ReturnType<typeof ensureImages>>;
  const ready = (name: string): Promise<string> =>
    cluster.kubectl(["wait", `pod/${name}`, "--for=condition=Ready", "--timeout=300s"]);

  before(async () => {
    images = await ensureImages({ onProgress: () => undefined });
    cluster = await startCluster({ level: "node", images: [images.pause, images.postgres17, images.node24] });
    await cluster.kubectl(["apply", "-f", "-"], list(pod("client", "localhost/node:24")));
    await ready("client");
  });
  after(() => cluster.stop());

  it("has a node that is Ready", async () => {
    assert.match(await cluster.kubectl(["get", "nodes", "--no-headers"]), /^node1 +Ready/);
  });

  it("gives a pod's logs", async () => {
    // A pod without a readiness probe is Ready before it says its first word.
    const { kubectl } = cluster;
    const said = async (): Promise<string | undefined> => (await kubectl(["logs", "client"])) || undefined;
    assert.equal(await waitUntil(said, { what: "the pod's log", timeoutMs: 300_000 }), "started\n");
  });

  for (const host of ["10.96.0.1", "kubernetes.default.svc"]) {
    it(`lets a pod reach the API server at ${host}`, async () => {
      const answer = await cluster.kubectl(["exec", "client", "--", "node", "-e", askVersion(host)]);
      assert.match(answer, /"gitVersion": "v1\.34\.4"/);
    });
  }

  it("reaches a pod from exec at the pod's address, and from a pod through its Service's name", async () => {
    const serve = 'require("node:http").createServer((_, answer) => answer.end("hello")).listen(8080)';
    const server = pod("server", "localhost/node:24", {
      containers: [
        {
          name: "main",
          image: "localhost/node:24",
          command: ["node", "-e", serve],
          readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
        },
      ],
    });
    await cluster.kubectl(["apply", "-f", "-"], list(server));
    await cluster.kubectl(["expose", "pod", "server", "--port=80", "--target-port=8080"]);
    await ready("server");
    const address = await cluster.kubectl(["get", "pod", "server", "-o", "jsonpath={.status.podIP}"]);
    const direct = cluster.exec([process.execPath, "-e", ask(`http://${address}:8080`)]);
    assert.equal(await direct, "hello");
    const throughService = (): Promise<string> =>
      cluster.kubectl(["exec", "client", "--", "node", "-e", ask("http://server.default.svc")]);
    assert.equal(await waitUntil(throughService, { what: "the Service", timeoutMs: 300_000 }), "hello");
  });

  it("binds a claim to a local-path volume, keeps its data across pods, and removes it with the claim", async () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const user = pod("user", "localhost/postgres:17", { volumes });
    await cluster.kubectl(["apply", "-f", "-"], list(claim, user));
    await ready("user");
    await cluster.kubectl(["exec", "user", "--", "sh", "-c", "echo kept > /data/file"]);
    await cluster.kubectl(["delete", "pod", "user"]);
    await cluster.kubectl(["apply", "-f", "-"], list(user));
    await ready("user");
    assert.equal(await cluster.kubectl(["exec", "user", "--", "cat", "/data/file"]), "kept\n");
    const path = await cluster.kubectl(["get", "pv", "-o", "jsonpath={.items[0].spec.hostPath.path}"]);
    assert.ok(existsSync(`${path}/file`));
    await cluster.kubectl(["delete", "pod/user", "pvc/data"]);
    await waitUntil(() => Promise.resolve(existsSync(path) ? undefined : true), {
      what: "the volume's removal",
      timeoutMs: 300_000,
    });
  });

  it("keeps pods running while kubelet is killed and started again", async () => {
    await cluster.stopComponent("kubelet");
    await cluster.startComponent("kubelet");
    const exec = (): Promise<string> => cluster.kubectl(["exec", "client", "--", "echo", "here"]);
    assert.equal(await waitUntil(exec, { what: "kubelet", timeoutMs: 300_000 }), "here\n");
    const restarts = "jsonpath={.status.containerStatuses[0].restartCount}";
    assert.equal(await cluster.kubectl(["get", "pod", "client", "-o", restarts]), "0");
  });

  it("shows kubelet the settings that it wants without changing the machine's", async () => {
    assert.equal(await cluster.exec(["cat", "/proc/sys/kernel/panic"]), "10\n");
    assert.equal(await cluster.exec(["cat", "/proc/sys/vm/overcommit_memory"]), "1\n");
    assert.equal(readFileSync("/proc/sys/kernel/panic", "utf8"), machinePanic);
  });

  it("is not disturbed by a second cluster, by its owner's death, nor by the sweep after that", async () => {
    const { owner, kubeconfig } = await startInChild(["--level", "node", "--image", images.pause]);
    const id = clusterIdOf(kubeconfig);
    assert.ok(livingTraces(id).length >= 9);
    owner.kill("SIGKILL");
    await once(owner, "exit");
    await waitUntil(() => Promise.resolve(none(livingTraces(id))), { what: "the end", timeoutMs: 300_000 });
    await sweepLeftovers();
    assert.deepEqual(traces(id), []);
    await cluster.kubectl(["apply", "-f", "-"], list(pod("later", "localhost/node:24")));
    await ready("later");
  });

  it("leaves nothing after stop, with pods still running", async () => {
    const id = clusterIdOf(cluster.kubeconfig);
    assert.notDeepEqual(traces(id), []);
    await cluster.stop();
    assert.deepEqual(traces(id), []);
  });
});
