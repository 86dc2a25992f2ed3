import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { areChanges, changesBetween, changesIn, countsOf } from "../../../deploy/install/changes.ts";
import { leftoversIn } from "../../../deploy/install/leftovers.ts";
import { planOf } from "../../../deploy/install/plan.ts";
import type { Situation } from "../../../deploy/install/plan.ts";
import { isDeployed, stackFunctions } from "../../../deploy/openfaas/stack.ts";
import { type Step, shellLine } from "../../../deploy/shared/step.ts";
import { uninstallPlan, webhooksOf, withoutInhabited } from "../../../deploy/uninstall/plan.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { object } from "./imagined.ts";

const fresh: Situation = {
  namespace: "shop",
  text: "kind: Namespace",
  shown: "kubectl kustomize sampledb",
  isCrdAsItShouldBe: false,
  isOverlayAsItShouldBe: false,
  hasInstallJob: false,
  leftovers: [],
};
const settled = { ...fresh, isCrdAsItShouldBe: true, isOverlayAsItShouldBe: true };

const openFaas = {
  image: "registry.example.com/f:1",
  functions: stackFunctions(),
  objects: [],
  hasCallerSecret: false,
  newSecret: () => "ab12",
};

const lines = (steps: readonly Step[]): readonly string[] =>
  steps.map((step) =>
    shellLine(step, ["kubectl", "--context", "my stage"]).replaceAll(/\/\S*\/manifests/gu, "manifests"),
  );

describe("the plan of a deployment", () => {
  it("is the CRD, then the overlay", () => {
    assert.deepEqual(lines(planOf(fresh)), [
      "kubectl --context 'my stage' apply -k manifests/crds",
      "kubectl --context 'my stage' wait --for=condition=Established crd/sampledbs.sampledb.dev --timeout=300s",
      "kubectl kustomize sampledb | kubectl --context 'my stage' apply -f -",
    ]);
  });

  it("is nothing where all is as it should be", () => assert.deepEqual(planOf(settled), []));

  it("takes away the Job of a run that did not end, and what a former choice left, after the overlay", () => {
    const leftovers = [
      object("apps/v1", "Deployment", ["provision", "shop"]),
      object("v1", "Service", ["provision", "shop"]),
    ];
    assert.deepEqual(lines(planOf({ ...fresh, isCrdAsItShouldBe: true, hasInstallJob: true, leftovers })), [
      "kubectl --context 'my stage' delete job certify-install -n shop --ignore-not-found",
      "kubectl kustomize sampledb | kubectl --context 'my stage' apply -f -",
      "kubectl --context 'my stage' delete deployment.v1.apps provision -n shop --ignore-not-found",
      "kubectl --context 'my stage' delete service provision -n shop --ignore-not-found",
    ]);
    assert.equal(planOf({ ...settled, hasInstallJob: true }).length, 0);
  });

  it("on OpenFaaS makes the callers' secret first, and the functions when the certificate is there", () => {
    const titles = planOf({ ...fresh, isCrdAsItShouldBe: true, openFaas }).map(({ title }) => title);
    assert.deepEqual(titles, [
      "make the secret that callers of the functions prove themselves by",
      "apply the overlay",
      "wait for the certificate, which a function mounts",
      "deploy the functions",
      "patch sampledb-reconcile",
      "patch sampledb-admission",
    ]);
    const text = lines(planOf({ ...fresh, isCrdAsItShouldBe: true, openFaas })).join("\n");
    assert.doesNotMatch(text, /ab12/u);
    assert.match(
      text,
      /^SAMPLEDB_IMAGE=registry\.example\.com\/f:1 faas-cli deploy -f manifests\/overlays\/openfaas\/stack\.yaml$/mu,
    );
    assert.match(text, /^until kubectl .* get secret sampledb-admission-tls -n shop; do sleep 1; done$/mu);
  });

  it("on OpenFaaS leaves functions alone that run as they should: deploying them replaces their pods", () => {
    const objects = openFaas.functions.map(({ name, environment, labels, account }) =>
      object("apps/v1", "Deployment", [name, "shop"], {
        spec: {
          template: {
            metadata: { labels },
            spec: {
              serviceAccountName: account,
              containers: [
                {
                  name,
                  image: openFaas.image,
                  env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
                },
              ],
            },
          },
        },
      }),
    );
    const [first] = openFaas.functions;
    assert.ok(first !== undefined);
    const here = { objects, namespace: "shop" };
    assert.equal(isDeployed(first, openFaas.image, here), true);
    assert.equal(isDeployed(first, "registry.example.com/f:2", here), false);
    assert.equal(
      isDeployed({ ...first, environment: { ...first.environment, PORT: "1" } }, openFaas.image, here),
      false,
    );
    assert.equal(isDeployed(first, openFaas.image, { objects, namespace: "elsewhere" }), false);
    assert.deepEqual(planOf({ ...settled, openFaas: { ...openFaas, objects, hasCallerSecret: true } }), []);
  });
});

describe("what an apply changes", () => {
  const text =
    "namespace/shop unchanged (server dry run)\ndeployment.apps/source configured (server dry run)\nnot a line\n";
  it("is read from what kubectl prints", () => {
    const changes = changesIn(text);
    assert.deepEqual(changes, [
      { name: "namespace/shop", verb: "unchanged" },
      { name: "deployment.apps/source", verb: "configured" },
    ]);
    assert.equal(countsOf(changes), "1 unchanged, 1 configured");
    assert.equal(areChanges(changes), true);
    assert.equal(areChanges(changes.slice(0, 1)), false);
  });
});

const one = (resourceVersion: string, port: number): KubeObject =>
  object("v1", "Service", ["a", "shop"], {
    metadata: { resourceVersion, managedFields: [port] },
    spec: { port },
    status: {},
  });

const verbs = (before: readonly KubeObject[], after: KubeObject): readonly string[] =>
  changesBetween(before, [after]).map(({ name, verb }) => `${verb} ${name}`);

describe("what an apply would change", () => {
  it("is what differs in content, whatever kubectl sends", () => {
    assert.deepEqual(verbs([one("1", 80)], one("2", 80)), ["unchanged Service shop/a"]);
    assert.deepEqual(verbs([one("1", 80)], one("1", 81)), ["configured Service shop/a"]);
    assert.deepEqual(verbs([], one("1", 81)), ["created Service shop/a"]);
  });
});

describe("leftovers", () => {
  const applied = { annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" } };
  it("are what kubectl applied, nobody owns, and is not rendered, whatever version it is rendered in", () => {
    const kept = object("policy/v1beta1", "PodDisruptionBudget", ["a"]);
    const left = object("apps/v1", "Deployment", ["provision"], { metadata: applied });
    const present = [
      left,
      object("policy/v1", "PodDisruptionBudget", ["a"], { metadata: applied }),
      object("apps/v1", "Deployment", ["owned"], { metadata: { ...applied, ownerReferences: [{}] } }),
      object("v1", "Service", ["made by a controller"]),
    ];
    assert.deepEqual(leftoversIn(present, [kept]), [left]);
  });
});

const configuration = (name: string, owner?: string) =>
  object("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", [name], {
    metadata: owner === undefined ? {} : { ownerReferences: [{ kind: "ClusterRole", name: owner }] },
  });

describe("the plan of an uninstall", () => {
  const overlay = [object("v1", "Namespace", ["shop"]), object("v1", "Service", ["admission", "shop"])];
  const remains = {
    namespace: "shop",
    isOpenFaas: false,
    webhooks: ["sampledb"],
    objects: overlay,
    leftovers: [object("v1", "Service", ["old", "shop"])],
    shown: "kubectl kustomize sampledb",
    timeoutSeconds: 600,
  };

  it("begins with the webhook configurations, and leaves to the namespace what ends with it", () => {
    assert.deepEqual(
      uninstallPlan(remains).map(({ title }) => title),
      ["remove the webhook configurations: nothing is refused from here on", "remove the overlay"],
    );
  });

  it("takes away what is in a namespace that stays", () => {
    const objects = withoutInhabited(overlay, [object("sampledb.dev/v1", "SampleDB", ["orders", "shop"])]);
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ["Service"],
    );
    assert.deepEqual(
      uninstallPlan({ ...remains, objects }).map(({ title }) => title),
      [
        "remove the webhook configurations: nothing is refused from here on",
        "remove the overlay",
        "remove Service shop/old",
        "remove what certify made",
      ],
    );
  });

  it("on OpenFaaS removes the functions before what they mount", () => {
    const titles = uninstallPlan({ ...remains, isOpenFaas: true, objects: overlay.slice(1), leftovers: [] });
    assert.deepEqual(titles.map(({ title }) => title).slice(1), [
      "remove the functions",
      "remove the overlay",
      "remove what certify made",
    ]);
  });

  it("knows its own webhook configurations: rendered, or owned by a ClusterRole that is", () => {
    const rendered = [object("rbac.authorization.k8s.io/v1", "ClusterRole", ["sampledb-certify"])];
    const present = [
      configuration("sampledb", "sampledb-certify"),
      configuration("sampledb-b", "sampledb-certify-b"),
    ];
    assert.deepEqual(webhooksOf(present, rendered), ["sampledb"]);
    assert.deepEqual(webhooksOf([configuration("c")], [configuration("c")]), ["c"]);
  });
});
