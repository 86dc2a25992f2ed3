import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { accountKubeconfig } from "../support/account-kubeconfig.ts";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { npmRun, type Said } from "../support/deploy/npm-run.ts";
import { deployment, runPods } from "./deploy-scene.ts";
import { installKnativeCrds } from "../support/knative/knative-crds.ts";

const IMAGE = ["--image", "registry.example.com/sampledb/functions:0.1.0"];
const KOURIER = "kourier.ingress.networking.knative.dev";

describe("npm run deploy on a real API server", () => {
  let cluster: LocalCluster;
  let folder: string;
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const apply = (...items: readonly object[]): Promise<string> =>
    kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const deploy = (...args: readonly string[]): Promise<Said> =>
    npmRun(cluster, ["deploy", ...args], { path: folder });
  const assertNothingDone = async (): Promise<void> => {
    assert.equal(
      await kubectl(["get", "clusterroles", "-l", "app.kubernetes.io/part-of=sampledb", "-o", "name"]),
      "",
    );
    assert.equal(
      await kubectl(["get", "crd", "sampledbs.sampledb.dev", "--ignore-not-found", "-o", "name"]),
      "",
    );
  };

  before(async () => {
    cluster = await startCluster({ level: "api", auditLog: false });
    folder = await mkdtemp(join(tmpdir(), "sampledb-path-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await cluster.stop();
  });

  it("says what it would do on plain Kubernetes, and does nothing", async () => {
    const { code, out, err } = await deploy("--platform", "kubernetes", ...IMAGE, "--dry-run");
    assert.equal(code, 0, err);
    assert.match(out, /^ {2}would be created: CustomResourceDefinition sampledbs\.sampledb\.dev$/mu);
    assert.match(out, /^ {2}would be created: Namespace sampledb-system$/mu);
    assert.match(out, /^ {2}kubectl kustomize \S+overlays\/kubernetes \| kubectl apply -f -$/mu);
    assert.match(out, /^Warning: a default StorageClass$/mu);
    await assertNothingDone();
  });

  it("ends with 2 where the command cannot be meant, and with 1 where no cluster answers", async () => {
    for (const [args, words] of [
      [
        ["--platform", "kubernetes", ...IMAGE, "--context", "stage"],
        /^--context: "stage": your kubeconfig has local/u,
      ],
      [["--platform", "kubernetes"], /^--image is missing/u],
    ] as const) {
      const { code, err } = await deploy(...args);
      assert.equal(code, 2);
      assert.match(err, words);
    }
    const { code, err } = await npmRun(cluster, ["deploy", "--platform", "kubernetes", ...IMAGE], {
      kubeconfig: "/nowhere",
    });
    assert.equal(code, 1);
    assert.match(err, /^The cluster does not answer: /u);
  });

  it("tells everything that an account without rights may not do, and does nothing", async () => {
    await kubectl(["create", "serviceaccount", "visitor", "-n", "default"]);
    await kubectl([
      "create",
      "clusterrolebinding",
      "visitor",
      "--clusterrole=view",
      "--serviceaccount=default:visitor",
    ]);
    await kubectl([
      "create",
      "clusterrole",
      "looks",
      "--verb=get,list",
      "--resource=clusterrolebindings.rbac.authorization.k8s.io,storageclasses.storage.k8s.io,namespaces,mutatingwebhookconfigurations.admissionregistration.k8s.io,validatingadmissionpolicybindings.admissionregistration.k8s.io",
    ]);
    await kubectl([
      "create",
      "clusterrolebinding",
      "looks",
      "--clusterrole=looks",
      "--serviceaccount=default:visitor",
    ]);
    const kubeconfig = join(folder, "visitor");
    await writeFile(kubeconfig, await accountKubeconfig(kubectl, "visitor", "default"));
    const { code, err } = await npmRun(cluster, ["deploy", "--platform", "kubernetes", ...IMAGE], {
      kubeconfig,
    });
    assert.equal(code, 1);
    assert.match(err, /you may not: .*create customresourcedefinitions\.apiextensions\.k8s\.io/u);
    assert.match(err, /Nothing was changed\.$/u);
    await assertNothingDone();
  });

  it("tells what Knative lacks, and what it would do where all is there, with the gateway's Service in its namespace", async () => {
    const knative = ["--platform", "knative", ...IMAGE, "--namespace", "databases", "--dry-run"];
    const without = await deploy(...knative);
    assert.equal(without.code, 1);
    assert.match(without.err, /^Missing: Knative Serving\n[\s\S]*^Missing: Knative Eventing\n/mu);
    await installKnativeCrds(kubectl);
    const idle = await deploy(...knative);
    assert.match(
      idle.err,
      /^Missing: Knative Serving at work\n[\s\S]*^Missing: Kourier as Knative's ingress/mu,
    );
    const parts = {
      "knative-serving": ["controller", "webhook", "activator", "autoscaler"],
      "knative-eventing": ["eventing-controller", "eventing-webhook"],
      "kourier-system": ["3scale-kourier-gateway"],
    };
    const namespaces = Object.keys(parts);
    for (const namespace of namespaces) await kubectl(["create", "namespace", namespace]);
    const config = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "config-network", namespace: "knative-serving" },
      data: { "ingress-class": KOURIER },
    };
    await apply(
      config,
      ...Object.entries(parts).flatMap(([namespace, names]) =>
        names.map((name) => deployment(namespace, name)),
      ),
    );
    for (const namespace of namespaces) await runPods(kubectl, namespace);
    const { code, out, err } = await deploy(...knative);
    assert.equal(code, 0, err);
    assert.match(out, /^Warning: two ready pods of Kourier's gateway$/mu);
    assert.match(out, /would be created: Namespace databases/u);
    assert.match(out, /would be created: Service kourier-system\/sampledb-admission/u);
    await assertNothingDone();
  });

  it("does not take another namespace's installation away, nor changes its platform", async () => {
    const name = "sampledb-certify";
    await apply({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name, labels: { "app.kubernetes.io/part-of": "sampledb" } },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name: "certify", namespace: "shop" }],
    });
    for (const command of ["deploy", "uninstall"] as const) {
      const { code, err } = await npmRun(cluster, [
        command,
        "--platform",
        "kubernetes",
        ...(command === "deploy" ? IMAGE : []),
      ]);
      assert.equal(code, 1);
      assert.match(err, /--namespace shop/u);
    }
    assert.notEqual(await kubectl(["get", "clusterrolebinding", name, "-o", "name"]), "");
  });
});
