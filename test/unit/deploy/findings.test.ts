import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findingsOf } from "../../../deploy/install/judge.ts";
import type { Case } from "../../../deploy/install/judge.ts";
import { findingText } from "../../../deploy/prerequisites/finding.ts";
import type { KubeObject } from "../../../deploy/shared/rendered.ts";
import { servedKindsIn } from "../../../deploy/shared/served-kinds.ts";
import {
  OURS,
  RESOURCES,
  object,
  deployment,
  configMap,
  binding,
  knative,
  gateway,
  service,
  openFaas,
  seenOf,
  caseOf,
} from "./imagined.ts";

const told = (each: Case): readonly string[] =>
  findingsOf(each).map(({ level, needed, seen, remedy }) => `${level}: ${needed}: ${seen}: ${remedy}`);

const assertOne = (each: Case, words: RegExp): void => {
  const found = told(each);
  assert.equal(found.length, 1, found.join("\n"));
  assert.match(found[0] ?? "", words);
};

const without = (name: string): readonly KubeObject[] =>
  knative.filter(({ metadata }) => metadata.name !== name);

const named = (name: string): KubeObject =>
  deployment("cert-manager", name, 1, { "app.kubernetes.io/name": name });

const ofVersion = (version: string) => ({
  ...binding("sampledb-certify", "sampledb-system"),
  metadata: { name: "sampledb-certify", labels: { ...OURS, "app.kubernetes.io/version": version } },
});

describe("prerequisites", () => {
  it("are met on a cluster that has them", () => {
    assert.deepEqual(told(caseOf("kubernetes", seenOf([]))), []);
    assert.deepEqual(told(caseOf("knative", seenOf(knative))), []);
    assert.deepEqual(told(caseOf("openfaas", seenOf(openFaas))), []);
  });

  it("are told in three lines: what is needed, what was found, what to do", () => {
    const text = findingText({ level: "missing", needed: "a", seen: "b", remedy: "c" });
    assert.equal(text, "Missing: a\n  found: b\n  do:    c\n");
  });

  const cases: readonly [string, Case, RegExp][] = [
    [
      "an old cluster",
      caseOf("kubernetes", seenOf([], { serverVersion: "v1.29.8" })),
      /^missing: Kubernetes 1\.30 or newer: v1\.29\.8/u,
    ],
    [
      "an old kubectl",
      caseOf("kubernetes", seenOf([], { clientVersion: "v1.24.0" })),
      /^missing: kubectl 1\.31 or newer: v1\.24\.0/u,
    ],
    [
      "a kind that nobody serves",
      caseOf("knative", seenOf(knative), {
        rendered: [
          object("sources.knative.dev/v1", "PingSource", ["a"]),
          object("sources.knative.dev/v1", "ApiServerSource", ["b"]),
        ],
      }),
      /^missing: Knative Eventing: .*ApiServerSource \(sources\.knative\.dev\/v1\), PingSource/u,
    ],
    [
      "a Knative that does not run",
      caseOf("knative", seenOf(without("activator"))),
      /Serving at work: there is no Deployment knative-serving\/activator: .*kubectl get pods -n knative-serving/u,
    ],
    [
      "another ingress",
      caseOf(
        "knative",
        seenOf([...without("config-network"), configMap("config-network", "knative-serving", {})]),
      ),
      /^missing: Kourier as .*: it names none, which means Istio: kubectl patch configmap\/config-network/u,
    ],
    [
      "a gateway of one pod",
      caseOf(
        "knative",
        seenOf([
          ...without("3scale-kourier-gateway"),
          deployment("kourier-system", "3scale-kourier-gateway", 1),
        ]),
      ),
      /^warning: two ready pods of Kourier's gateway: one: .*"minReplicas":2/u,
    ],
    [
      "a gateway of none",
      caseOf(
        "knative",
        seenOf([
          ...without("3scale-kourier-gateway"),
          deployment("kourier-system", "3scale-kourier-gateway", 0),
        ]),
      ),
      /^missing: two ready pods .*: none is ready/u,
    ],
    [
      "no OpenFaaS",
      caseOf("openfaas", seenOf(openFaas.slice(2))),
      /^missing: OpenFaaS at work: there is no Deployment openfaas\/gateway/u,
    ],
    [
      "functions elsewhere",
      caseOf("openfaas", seenOf(openFaas), { namespace: "shop" }),
      /OpenFaaS has them in openfaas-fn: --namespace openfaas-fn/u,
    ],
    [
      "no namespace of functions",
      caseOf("openfaas", seenOf(openFaas.slice(0, 2))),
      /^missing: the namespace openfaas-fn/u,
    ],
    [
      "a gateway on every node",
      caseOf("openfaas", seenOf([...openFaas, service("gateway-external", "NodePort")])),
      /^warning: .*Service gateway-external opens it/u,
    ],
    [
      "an impatient gateway",
      caseOf("openfaas", seenOf([gateway({ upstream_timeout: "20s" }), ...openFaas.slice(1)])),
      /^warning: a gateway that waits longer than 22 s: upstream_timeout 20s/u,
    ],
    [
      "no faas-cli",
      caseOf(
        "openfaas",
        seenOf(openFaas, { faasCli: { version: undefined, functions: undefined, complaint: "" } }),
      ),
      /^missing: faas-cli: /u,
    ],
    [
      "a gateway that asks who is there",
      caseOf(
        "openfaas",
        seenOf(openFaas, {
          faasCli: { version: "1", functions: undefined, complaint: "unauthorized access" },
        }),
      ),
      /^missing: a gateway that faas-cli may use: unauthorized access: .*faas-cli login/u,
    ],
    [
      "a gateway of another cluster",
      caseOf(
        "openfaas",
        seenOf(openFaas, { faasCli: { version: "1", functions: ["figlet"], complaint: "" } }),
      ),
      /^missing: one cluster: .*figlet: .*OPENFAAS_URL/u,
    ],
    [
      "no default StorageClass",
      caseOf("kubernetes", seenOf([], { objects: [] })),
      /^warning: a default StorageClass: there is no StorageClass at all/u,
    ],
    [
      "another namespace's installation",
      caseOf("kubernetes", seenOf([binding("sampledb-certify", "databases")]), {
        rendered: [binding("sampledb-certify", "sampledb-system")],
      }),
      /^missing: .*: the SampleDB in the namespace databases has them: .*npm run uninstall -- --platform kubernetes --namespace databases/u,
    ],
    [
      "another platform's installation",
      caseOf(
        "kubernetes",
        seenOf([
          object("serving.knative.dev/v1", "Service", ["reconcile", "sampledb-system"], {
            metadata: { labels: OURS },
          }),
        ]),
      ),
      /SampleDB for knative is there: .*npm run uninstall -- --platform knative/u,
    ],
    [
      "what the API server will not take",
      caseOf("kubernetes", seenOf([]), { refusal: "quota exceeded" }),
      /^missing: manifests that this cluster takes: quota exceeded/u,
    ],
    [
      "rights that are missing",
      caseOf("kubernetes", seenOf([]), {
        refused: ["create deployments.apps in shop"],
        refusal: "forbidden",
      }),
      /^missing: the rights of an administrator: you may not: create deployments\.apps in shop/u,
    ],
  ];
  for (const [name, each, words] of cases)
    it(`tell of ${name}, and of nothing else`, () => assertOne(each, words));

  it("do not ask for Kourier where admission has its own TLS", () => {
    const parts = knative.filter(
      ({ metadata }) => metadata.namespace !== "kourier-system" && metadata.name !== "config-network",
    );
    assert.deepEqual(told(caseOf("knative", seenOf(parts), { rendered: [] })), []);
  });

  it("see the same installation, another release's names, and a namespace without functions, as no obstacle", () => {
    const same = [binding("sampledb-certify", "sampledb-system")];
    const present = [
      ...same,
      binding("sampledb-certify-shop", "databases"),
      deployment("sampledb-system", "reconcile", 1, OURS),
    ];
    assert.deepEqual(told(caseOf("kubernetes", seenOf(present), { rendered: same })), []);
  });

  it("do not let an older release take the place of a newer one, unless that is meant", () => {
    const older = caseOf("kubernetes", seenOf([ofVersion("0.10.0")]), { rendered: [ofVersion("0.9.1")] });
    assertOne(older, /^missing: .*: 0\.10\.0 is installed, and this is 0\.9\.1: .*--older/u);
    assert.deepEqual(told({ ...older, mayBeOlder: true }), []);
    for (const version of ["0.10.0", "0.11.0", "1.0.0"])
      assert.deepEqual(told({ ...older, rendered: [ofVersion(version)] }), [], version);
  });

  it("want cert-manager at work, and no change of who makes the certificate", () => {
    const rendered = [object("cert-manager.io/v1", "Certificate", ["a", "sampledb-system"])];
    const kinds = servedKindsIn(`${RESOURCES}certificates cert,certs cert-manager.io/v1 true Certificate`);
    const both = [named("cert-manager"), named("cainjector")];
    assert.deepEqual(told(caseOf("kubernetes", seenOf(both, { kinds }), { rendered })), []);
    assertOne(
      caseOf("kubernetes", seenOf(both.slice(0, 1), { kinds }), { rendered }),
      /^missing: cert-manager's cainjector at work/u,
    );
    const certify = binding("sampledb-certify", "sampledb-system");
    assertOne(
      caseOf("kubernetes", seenOf([...both, certify], { kinds }), { rendered }),
      /from certify: uninstall first/u,
    );
  });
});
