import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { npmRun, type Said } from "../support/deploy/npm-run.ts";
import { deployment, runPods, writeFaasCli } from "./deploy-scene.ts";

const IMAGE = ["--image", "registry.example.com/sampledb/functions:0.1.0"];

describe("npm run deploy for OpenFaaS, on a real API server", () => {
  let cluster: LocalCluster;
  let folder: string;
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const apply = (...items: readonly object[]): Promise<string> =>
    kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const deploy = (...args: readonly string[]): Promise<Said> =>
    npmRun(cluster, ["deploy", ...args], { path: folder });

  before(async () => {
    cluster = await startCluster({ level: "api", auditLog: false });
    folder = await mkdtemp(join(tmpdir(), "sampledb-path-"));
    await writeFaasCli(folder);
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await cluster.stop();
  });

  it("tells what OpenFaaS lacks, then that faas-cli looks elsewhere, and what it would do where all is there", async () => {
    const openFaas = [
      "--platform",
      "openfaas",
      ...IMAGE,
      "--openfaas-image",
      "registry.example.com/f:1",
      "--dry-run",
    ];
    const without = await deploy(...openFaas);
    assert.equal(without.code, 1);
    assert.match(
      without.err,
      /^Missing: OpenFaaS at work\n {2}found: there is no Deployment openfaas\/gateway/mu,
    );
    for (const namespace of ["openfaas", "openfaas-fn"]) await kubectl(["create", "namespace", namespace]);
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "gateway", namespace: "openfaas" },
      spec: { ports: [{ port: 8080 }] },
    };
    await apply(
      deployment("openfaas", "gateway", { function_namespace: "openfaas-fn", upstream_timeout: "50s" }),
      service,
    );
    await runPods(kubectl, "openfaas");
    const elsewhere = await deploy(...openFaas);
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.err, /^Missing: one cluster\n.*not in openfaas-fn here: figlet/mu);
    await apply(deployment("openfaas-fn", "figlet"));
    const { code, out, err } = await deploy(...openFaas);
    assert.equal(code, 0, err);
    const order = [
      "key sampledb-caller",
      "apply -f -",
      "until kubectl get secret sampledb-admission-tls",
      "faas-cli deploy",
      "patch deployment sampledb-admission",
    ];
    const places = order.map((words) => out.indexOf(words, out.indexOf("Would be done")));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      out,
    );
    assert.ok(!places.includes(-1), out);
  });

  it("deploys OpenFaaS' functions when the certificate is there, patches them, tells what they wait for, and takes all away", async () => {
    const secret = ["secret", "generic", "sampledb-admission-tls", "-n", "openfaas-fn"];
    await kubectl([
      "create",
      ...secret,
      ...["tls.crt", "tls.key", "ca.crt"].map((key) => `--from-literal=${key}=x`),
    ]);
    const openFaas = ["--platform", "openfaas", ...IMAGE, "--openfaas-image", "registry.example.com/f:1"];
    // Nobody starts pods here.
    const { code, out, err } = await deploy(...openFaas, "--timeout", "10");
    assert.equal(code, 1);
    assert.match(out, /deploy the functions\n {2}patch sampledb-reconcile\n {2}patch sampledb-admission\n/u);
    assert.match(err, /^SampleDB does not come up: [\s\S]*Deployment openfaas-fn\/sampledb-admission: /u);
    const template =
      "jsonpath={.spec.template.spec.serviceAccountName} {.spec.template.spec.containers[*].image}";
    const made = ["get", "deployment", "sampledb-reconcile", "-n", "openfaas-fn", "-o", template];
    assert.equal(await kubectl(made), "reconcile registry.example.com/f:1");
    const caller = [
      "get",
      "secret",
      "sampledb-caller",
      "-n",
      "openfaas-fn",
      "-o",
      "jsonpath={.data.sampledb-caller}",
    ];
    assert.match(Buffer.from(await kubectl(caller), "base64").toString(), /^[a-f0-9]{64}$/u);
    const gone = await npmRun(cluster, ["uninstall", "--platform", "openfaas"], { path: folder });
    assert.equal(gone.code, 0, gone.err);
    const left = [
      "get",
      "deployments,secrets,configmaps,serviceaccounts,services",
      "-n",
      "openfaas-fn",
      "-o",
      "name",
    ];
    const names = (await kubectl(left)).trim().split("\n");
    assert.deepEqual(names, [
      "deployment.apps/figlet",
      "configmap/kube-root-ca.crt",
      "serviceaccount/default",
    ]);
  });
});
