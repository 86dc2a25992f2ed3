import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseOptions } from "../../../deploy/install/options.ts";
import type { DeployOptions } from "../../../deploy/install/options.ts";
import { parseOptions as parseUninstall } from "../../../deploy/uninstall/options.ts";

const IMAGE = "registry.example.com/sampledb/functions:0.1.0";

const optionsOf = (...args: readonly string[]): DeployOptions => {
  const parsed = parseOptions(args, "/home/shop");
  if (parsed.kind !== "go") throw new Error(JSON.stringify(parsed));
  return parsed.options;
};

describe("the command line of deploy", () => {
  it("is asked for its usage without anything else", () => {
    assert.equal(parseOptions(["--help"], "/").kind, "help");
    assert.equal(parseOptions(["--platform", "nope", "-h"], "/").kind, "help");
  });

  it("takes the current context, the overlay's namespace and the certificate as it is, if nothing else is said", () => {
    assert.deepEqual(optionsOf("--platform", "kubernetes", "--image", IMAGE), {
      platform: "kubernetes",
      context: undefined,
      namespace: undefined,
      image: IMAGE,
      openFaasImage: undefined,
      components: [],
      certManager: "auto",
      folder: undefined,
      trialNamespace: "default",
      timeoutSeconds: 600,
      isDryRun: false,
      mayBeOlder: false,
    });
  });

  it("takes a folder as the user sees it", () => {
    assert.equal(
      optionsOf("--platform", "knative", "--write", "ops/sampledb").folder,
      "/home/shop/ops/sampledb",
    );
  });

  it("takes each component once, and cert-manager as one of them", () => {
    const named = ["--component", "each-function", "--component", "each-function"];
    const { components, certManager } = optionsOf(
      "--platform",
      "kubernetes",
      ...named,
      "--cert-manager",
      "yes",
    );
    assert.deepEqual(
      components.map(({ path }) => path.split("/").at(-1)),
      ["each-function", "cert-manager"],
    );
    assert.equal(certManager, "yes");
    assert.equal(optionsOf("--platform", "kubernetes", "--component", "cert-manager").certManager, "yes");
  });

  it("knows the forms of Knative's overlay, and not its parts", () => {
    const [own, ...others] = optionsOf("--platform", "knative", "--component", "own-tls").components;
    assert.equal(own?.isOverlay, true);
    assert.deepEqual(others, []);
    const withIts = ["--component", "cert-manager"];
    const withBoth = ["--component", "own-tls", ...withIts];
    const paths = [withBoth, withIts].flatMap(
      (named) => optionsOf("--platform", "knative", ...named).components,
    );
    assert.deepEqual(
      paths.map(({ path }) => path.replace(/.*\/manifests\//u, "")),
      ["overlays/knative/own-tls", "components/cert-manager", "overlays/knative/components/cert-manager"],
    );
    for (const part of ["gateway", "functions", "common", "each-function"])
      assert.equal(parseOptions(["--platform", "knative", "--component", part], "/").kind, "wrong", part);
  });

  const k = ["--platform", "kubernetes"];
  const wrong: readonly [string, readonly string[], RegExp][] = [
    ["no platform", [], /^--platform is missing: say kubernetes, knative, openfaas\. See npm run deploy/u],
    [
      "an unknown platform",
      ["--platform", "nomad"],
      /^--platform: "nomad": must be one of kubernetes, knative/u,
    ],
    ["an unknown option", [...k, "--force"], /^Unknown option '--force'/u],
    ["a word too many", [...k, "now"], /Unexpected argument 'now'/u],
    ["an image without a tag", [...k, "--image", "registry.example.com/f"], /must name a tag or a digest/u],
    ["the tag latest", [...k, "--image", "registry.example.com/f:latest"], /another tag than latest/u],
    ["half a digest", [...k, "--image", "registry.example.com/f@sha256:12"], /its digest must be/u],
    ["no image reference", [...k, "--image", "Registry/F:1"], /is no image reference/u],
    ["the placeholder", [...k, "--image", "example.com/sampledb/functions:0.1.0"], /is a placeholder/u],
    [
      "an unknown component",
      [...k, "--component", "kafka"],
      /^--component: "kafka": for kubernetes there are cert-manager, /u,
    ],
    ["a namespace that is none", [...k, "--namespace", "Shop"], /^--namespace: "Shop": must consist of/u],
    [
      "a namespace for the trial that is none",
      [...k, "--trial-namespace", "Shop"],
      /^--trial-namespace: "Shop": must consist of/u,
    ],
    ["a time that is none", [...k, "--timeout", "soon"], /^--timeout: "soon": give whole seconds/u],
    ["an unknown maker of certificates", [...k, "--cert-manager", "maybe"], /must be one of auto, yes, no/u],
    ["cert-manager on OpenFaaS", ["--platform", "openfaas", "--cert-manager", "yes"], /is not for openfaas/u],
    ["both makers", [...k, "--cert-manager", "no", "--component", "cert-manager"], /contradict each other/u],
    ["OpenFaaS' image elsewhere", [...k, "--openfaas-image", IMAGE], /goes with --platform openfaas/u],
  ];
  for (const [name, args, sentence] of wrong)
    it(`refuses ${name} in one sentence`, () => {
      const parsed = parseOptions(args, "/");
      assert.equal(parsed.kind, "wrong");
      assert.match(parsed.kind === "wrong" ? parsed.sentence : "", sentence);
      assert.doesNotMatch(parsed.kind === "wrong" ? parsed.sentence : "", /\n/u);
    });
});

describe("the command line of uninstall", () => {
  it("is that of deploy without what only deploy needs", () => {
    const parsed = parseUninstall(["--platform", "openfaas", "--context", "stage", "--dry-run"], "/");
    assert.deepEqual(parsed.kind === "go" && parsed.options, {
      platform: "openfaas",
      context: "stage",
      namespace: undefined,
      components: [],
      folder: undefined,
      isForced: false,
      timeoutSeconds: 600,
      isDryRun: true,
    });
    assert.equal(parseUninstall(["--platform", "openfaas", "--image", IMAGE], "/").kind, "wrong");
  });
});
