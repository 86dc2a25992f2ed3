import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { startCluster } from "../support/cluster/index.ts";
import type { LocalCluster } from "../support/cluster/index.ts";
import { mayConnect } from "../support/kustomize/ingress.ts";
import type { NetworkPod } from "../support/kustomize/ingress.ts";
import { objectsOf, render, renderOwn } from "../support/kustomize/render.ts";
import type { Rendered } from "../support/kustomize/render.ts";
import { providerObjects } from "../support/openfaas/provider-objects.ts";
import { stackFunctions } from "../support/openfaas/stack.ts";

const OVERLAY = "overlays/openfaas";
const ROOT = resolve(import.meta.dirname, "../..");
const FUNCTIONS = { ...stackFunctions("stack.yaml"), ...stackFunctions("stack-cron-connector.yaml") };
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "sampledb-caller": ["sampledb-caller"],
  "sampledb-admission-tls": ["tls.crt", "tls.key", "ca.crt"],
};

const madeOf = (name: string) => {
  const fn = FUNCTIONS[name];
  if (fn === undefined) throw new Error(`there is no function ${name}`);
  return providerObjects(
    name,
    fn,
    Object.fromEntries(fn.secrets.map((secret) => [secret, KEYS[secret] ?? []])),
  );
};

const podOf = (namespace: string, labels: Readonly<Record<string, string>>): NetworkPod => ({
  namespace,
  labels,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace },
});

const PEERS: Readonly<Record<string, NetworkPod | undefined>> = {
  gateway: podOf("openfaas", { app: "gateway" }),
  "cron-connector": podOf("openfaas", { app: "cron-connector" }),
  "a gateway elsewhere": podOf("shop", { app: "gateway" }),
  "another function": podOf("openfaas-fn", { faas_function: "figlet" }),
  "the API server": undefined,
  metrics: { ...podOf("monitoring", {}), namespaceLabels: { "sampledb.dev/metrics": "true" } },
};

describe("OpenFaaS' manifests on a real API server", () => {
  let cluster: LocalCluster;
  let objects: readonly Rendered[] = [];
  const kubectl = (args: readonly string[], input?: string): Promise<string> => cluster.kubectl(args, input);
  const apply = (object: object, ...more: string[]): Promise<string> =>
    kubectl(["apply", ...more, "-f", "-"], JSON.stringify(object));
  const names = (kind: string): readonly string[] =>
    objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

  before(async () => {
    cluster = await startCluster({ level: "api" });
    await kubectl(["create", "namespace", "openfaas-fn"]);
    objects = objectsOf(await render(kubectl, OVERLAY));
  });
  after(() => cluster.stop());

  it("are accepted whole, in whichever namespace functions are", async () => {
    for (const namespace of ["openfaas-fn", "functions"]) {
      if (namespace !== "openfaas-fn") await kubectl(["create", "namespace", namespace]);
      const text = await renderOwn(kubectl, { paths: [OVERLAY], namespace });
      const answer = await kubectl(["apply", "--dry-run=server", "-f", "-"], text);
      assert.equal(answer.trim().split("\n").length, objectsOf(text).length);
      assert.doesNotMatch(answer, /Warning/u);
      for (const object of objectsOf(text))
        assert.ok([undefined, namespace].includes(object.metadata.namespace), object.metadata.name);
    }
  });

  it("have nothing that OpenFaaS makes by itself, and no pod for what is a function", () => {
    assert.deepEqual(names("Deployment"), ["source"]);
    assert.deepEqual(names("Service"), ["sampledb-webhook"]);
    assert.deepEqual(names("Namespace"), []);
    for (const name of Object.keys(FUNCTIONS)) assert.ok(!names("Service").includes(name), name);
  });

  it("say in functions/ what stack.yaml says", async () => {
    const rendered = objectsOf(await render(kubectl, `${OVERLAY}/functions`));
    const specs = rendered.map(({ apiVersion, kind, metadata, ...rest }) => {
      assert.deepEqual(
        [apiVersion, kind, metadata.namespace],
        ["openfaas.com/v1", "Function", "openfaas-fn"],
      );
      return [metadata.name, rest["spec"]];
    });
    const expected = Object.entries(stackFunctions("stack.yaml")).map(([name, fn]) => {
      const { environment, secrets, labels, annotations, requests, limits, image } = fn;
      const readOnlyRootFilesystem = fn.readonly_root_filesystem;
      return [
        name,
        { name, image, readOnlyRootFilesystem, environment, secrets, labels, annotations, requests, limits },
      ];
    });
    assert.deepEqual(Object.fromEntries(specs), Object.fromEntries(expected));
  });

  for (const name of Object.keys(FUNCTIONS)) {
    const account = name.replace("sampledb-", "");
    const patch = `${account}.yaml`;

    it(`${name} has the rights of ${account}, and passes Pod Security restricted, once it is patched`, async () => {
      for (const kind of ["ServiceAccount", "ConfigMap"])
        for (const object of objects.filter((each) => each.kind === kind)) await apply(object);
      const { deployment, service } = madeOf(name);
      await apply(service);
      await apply(deployment);
      const template = async () => {
        const found: { spec: { template: { spec: Readonly<Record<string, unknown>> } } } = JSON.parse(
          await kubectl(["get", "deployment", "-n", "openfaas-fn", name, "-o", "json"]),
        );
        return found.spec.template;
      };
      const podTo = async (namespace: string): Promise<string> =>
        apply(
          { apiVersion: "v1", kind: "Pod", ...(await template()), metadata: { name, namespace } },
          "--dry-run=server",
        );
      await kubectl([
        "label",
        "namespace",
        "openfaas-fn",
        "pod-security.kubernetes.io/enforce=restricted",
        "--overwrite",
      ]);
      await assert.rejects(podTo("openfaas-fn"), /violates PodSecurity "restricted/u);
      const file = resolve(ROOT, "manifests/overlays/openfaas/patches", patch);
      await kubectl(["patch", "deployment", "-n", "openfaas-fn", name, "--patch-file", file]);
      assert.match(await podTo("openfaas-fn"), /created/u);
      const { spec } = await template();
      assert.equal(spec["serviceAccountName"], account);
      // The patch meant this container, and added none.
      assert.equal(JSON.stringify(spec["containers"]).match(/"image":/gu)?.length, 1);
    });
  }

  it("let the API server reach admission: Service, label, port", () => {
    const service = objects.find(({ kind }) => kind === "Service");
    const { spec }: { spec: { selector: object; ports: readonly { targetPort: number; port: number }[] } } =
      JSON.parse(JSON.stringify(service));
    const { deployment } = madeOf("sampledb-admission");
    const labels = Object.entries(deployment.spec.template.metadata.labels);
    for (const [key, value] of Object.entries(spec.selector))
      assert.ok(
        labels.some(([label, its]) => label === key && its === value),
        key,
      );
    assert.deepEqual(
      spec.ports.map(({ port, targetPort }) => [port, String(targetPort)]),
      [[443, FUNCTIONS["sampledb-admission"]?.environment["PORT"]]],
    );
    for (const job of objects.filter(
      ({ kind, metadata }) => kind.endsWith("Job") && metadata.name.startsWith("certify"),
    ))
      assert.match(JSON.stringify(job), /"name":"ADMISSION_SERVICE","value":"sampledb-webhook"/u);
  });

  it("let nobody but the gateway call functions, and everybody ask admission", () => {
    const reached = (name: string, number: number): readonly string[] => {
      const to = podOf("openfaas-fn", madeOf(name).deployment.spec.template.metadata.labels);
      const port = { name: number === 8080 ? "http" : undefined, number };
      return Object.entries(PEERS)
        .filter(([, from]) => mayConnect(objects, from, to, port))
        .map(([peer]) => peer);
    };
    assert.deepEqual(reached("sampledb-reconcile", 8080), ["gateway", "metrics"]);
    assert.deepEqual(reached("sampledb-resync", 8080), ["gateway"]);
    assert.deepEqual(reached("sampledb-admission", 8443), Object.keys(PEERS));
    for (const [name, port] of [
      ["sampledb-admission", 8080],
      ["sampledb-reconcile", 8082],
      ["sampledb-reconcile", 8081],
      ["sampledb-resync", 8082],
    ] as const)
      assert.deepEqual(reached(name, port), [], `${name}:${port}`);
  });

  it("have source and resync call reconcile synchronously, with the secret that it asks for", () => {
    const { CALLER_SECRET_FILE: asked } = FUNCTIONS["sampledb-reconcile"]?.environment ?? {};
    assert.equal(asked, "/var/openfaas/secrets/sampledb-caller");
    const senders = objects.filter(({ metadata }) => ["source", "resync"].includes(metadata.name));
    const texts = [
      ...senders.filter(({ kind }) => kind !== "ServiceAccount").map((sender) => JSON.stringify(sender)),
      JSON.stringify(madeOf("sampledb-resync").deployment),
    ];
    assert.equal(texts.length, 3);
    for (const text of texts) {
      assert.match(text, /"value":"http:\/\/gateway\.openfaas:8080\/function\/sampledb-reconcile"/u);
      assert.ok(text.includes(`{"name":"SINK_TOKEN_FILE","value":"${asked}"}`), text);
      assert.match(text, /"mountPath":"\/var\/openfaas\/secrets"/u);
      assert.match(text, /sampledb-caller/u);
    }
  });
});
