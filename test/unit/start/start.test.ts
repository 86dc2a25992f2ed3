import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { overlayFor } from "../../support/deploy/overlay-for.ts";
import { changesSince, conditionsOf, outcomeOf } from "../../support/start/follow.ts";
import { parseOptions } from "../../support/start/options.ts";
import { type HostFacts, problemsOf } from "../../support/start/preflight.ts";

const host: HostFacts = {
  platform: "linux",
  uid: 0,
  freeGiB: 40,
  cacheFolder: "/var/cache/x",
  hasCache: false,
  hasApt: true,
  port: 15_432,
  isPortFree: true,
};

describe("npm start's options", () => {
  const wrong: readonly [string, readonly string[], NodeJS.ProcessEnv, RegExp][] = [
    ["an unknown option", ["--onec"], {}, /Unknown option '--onec'.*See npm start -- --help\.$/su],
    [
      "a port that is none",
      ["--port", "http"],
      {},
      /^--port: "http": give a port number from 1 to 65535\.$/u,
    ],
    [
      "a named cluster without an image",
      ["--context", "stage"],
      {},
      /^--context is given, so .*--image which image/u,
    ],
    [
      "KUBECONFIG without an image",
      [],
      { KUBECONFIG: "/x" },
      /^KUBECONFIG is set, so .*--image which image/u,
    ],
    ["an image for the local cluster", ["--image", "example.com/f:1"], {}, /^--image goes with --context/u],
  ];
  for (const [name, args, env, sentence] of wrong) {
    it(`refuses ${name} with one sentence`, () => {
      const parsed = parseOptions(args, env);
      assert.equal(parsed.kind, "wrong");
      assert.match(parsed.kind === "wrong" ? parsed.sentence : "", sentence);
    });
  }

  it("names no cluster by default", () => {
    assert.deepEqual(parseOptions(["--once"], {}), {
      kind: "start",
      options: { once: true, cluster: undefined, image: undefined, port: 15_432 },
    });
  });

  it("takes the cluster from KUBECONFIG and --context", () => {
    const parsed = parseOptions(["--context", "stage", "--image", "example.com/f:1"], { KUBECONFIG: "/x" });
    assert.deepEqual(parsed.kind === "start" && parsed.options.cluster, {
      kubeconfig: "/x",
      context: "stage",
    });
  });
});

describe("the look at the machine", () => {
  const cases: readonly [string, Partial<HostFacts>, RegExp][] = [
    ["another system", { platform: "darwin" }, /Linux only.*--context/u],
    ["another user than root", { uid: 1000 }, /needs root/u],
    ["a full disk", { freeGiB: 1.25 }, /^Only 1\.3 GiB are free at \/var\/cache\/x and 15 are needed/u],
    ["a taken port", { isPortFree: false }, /^Port 15432 is taken: .*--port/u],
    ["a system without apt", { hasApt: false }, /apt-get is not here/u],
  ];
  for (const [name, facts, sentence] of cases) {
    it(`says what to do about ${name}`, () => {
      const problems = problemsOf({ ...host, ...facts });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? "", sentence);
    });
  }

  it("asks for little disk once the cache is filled", () => {
    assert.deepEqual(problemsOf({ ...host, hasCache: true, freeGiB: 4 }), []);
  });
});

const line = (ready: string, stalled: string): string =>
  JSON.stringify([
    { type: "Ready", status: ready, reason: "Provisioning", message: "waits for\nthe claim" },
    { type: "Stalled", status: stalled, reason: "InvalidSpec", message: "spec.image: wrong" },
  ]);

describe("following the sample", () => {
  it("tells only what changed", () => {
    const before = conditionsOf(line("False", "False"));
    const after = conditionsOf(line("True", "False"));
    assert.deepEqual(changesSince(before, after), ["Ready=True  Provisioning: waits for\nthe claim"]);
  });

  it("tells in one line what several conditions say alike", () => {
    const both = ["Ready", "Provisioned"].map((type) => ({
      type,
      status: "False",
      reason: "R",
      message: "m",
    }));
    assert.deepEqual(changesSince([], both), ["Ready=False Provisioned=False  R: m"]);
  });

  it("knows no condition before there is a status", () => {
    assert.deepEqual(conditionsOf(""), []);
  });

  it("ends at Ready, or when the user must act, and not before", () => {
    assert.equal(outcomeOf(conditionsOf(line("False", "False"))), undefined);
    assert.equal(outcomeOf(conditionsOf(line("True", "False")))?.isReady, true);
    assert.deepEqual(outcomeOf(conditionsOf(line("False", "True"))), {
      isReady: false,
      reason: "InvalidSpec: spec.image: wrong",
    });
  });
});

describe("the deployment's overlay", () => {
  const images: readonly [string, string, string][] = [
    [
      "a tag after a registry with a port",
      "registry.example.com:5000/f:1.2",
      '"newName":"registry.example.com:5000/f","newTag":"1.2"',
    ],
    ["a digest", "example.com/f@sha256:0a1b", '"newName":"example.com/f","digest":"sha256:0a1b"'],
    [
      "a digest after a tag",
      "example.com/f:1@sha256:0a1b",
      '"newName":"example.com/f","digest":"sha256:0a1b"',
    ],
  ];
  for (const [name, image, fields] of images) {
    it(`takes ${name}`, () => {
      const overlay = overlayFor({ image }, "/tmp/o", "/srv/overlay");
      assert.ok(overlay.includes(`{"name":"example.com/sampledb/functions",${fields}}`), overlay);
    });
  }

  it("refers to the overlay by a relative path, as kustomize wants", () => {
    assert.match(
      overlayFor({ image: "example.com/f:1" }, "/tmp/o", "/srv/overlay"),
      /"resources":\["\.\.\/\.\.\/srv\/overlay"\]/u,
    );
  });
});
