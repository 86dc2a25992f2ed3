import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { imagesFor } from "../../../deploy/image/build-image.ts";
import { parseOptions } from "../../../deploy/image/options.ts";
import { buildCommand, digestIn, pushCommand } from "../../../deploy/image/tool.ts";

const at = { cwd: "/home/shop", version: "0.1.0" };
const DIGEST = `sha256:${"0a".repeat(32)}`;
const IMAGE = "registry.example.com/team/sampledb/functions:0.1.0";

const optionsOf = (...args: readonly string[]) => {
  const parsed = parseOptions(args, at);
  if (parsed.kind !== "go") throw new Error(JSON.stringify(parsed));
  return parsed.options;
};

describe("the command line of image", () => {
  const wrong: readonly [string, readonly string[], RegExp][] = [
    ["an unknown tool", ["--tool", "kaniko"], /^--tool: "kaniko": must be one of docker, podman, buildah\./u],
    [
      "a registry that is none",
      ["--push", "https://registry.example.com"],
      /^--push: .*is no image reference/u,
    ],
    ["the placeholder", ["--push", "example.com"], /is a placeholder/u],
    ["the tag latest", ["--push", "registry.example.com", "--tag", "latest"], /another tag than latest/u],
    ["a note without a push", ["--write", "ops"], /^--write goes with --push/u],
    ["a watchdog without OpenFaaS", ["--watchdog", "w:1"], /goes with --openfaas/u],
  ];
  for (const [name, args, sentence] of wrong)
    it(`refuses ${name} in one sentence`, () => {
      const parsed = parseOptions(args, at);
      assert.match(parsed.kind === "wrong" ? parsed.sentence : parsed.kind, sentence);
    });
});

describe("the images", () => {
  it("are the functions', under this version", () => {
    const [image, ...others] = imagesFor(optionsOf("--push", "registry.example.com/team/"));
    assert.deepEqual(others, []);
    assert.equal(image?.recipe.reference, IMAGE);
    assert.deepEqual(image?.recipe.buildArgs, {});
  });

  it("are for OpenFaaS too where asked for, made of the first one", () => {
    const images = imagesFor(
      optionsOf("--push", "registry.example.com/team", "--openfaas", "--base", "n:1", "--watchdog", "w:1"),
    );
    assert.deepEqual(
      images.map(({ name, recipe }) => [name, recipe.reference, recipe.buildArgs]),
      [
        ["example.com/sampledb/functions", IMAGE, { BASE: "n:1" }],
        [
          "example.com/sampledb/functions-openfaas",
          "registry.example.com/team/sampledb/functions-openfaas:0.1.0",
          { FUNCTIONS: IMAGE, WATCHDOG: "w:1" },
        ],
      ],
    );
  });

  it("are built and pushed by whichever tool is there", () => {
    const recipe = { file: "/f", context: "/c", reference: IMAGE, buildArgs: { BASE: "n:1" } };
    const push = { digestFile: "/d", isInsecure: true };
    assert.deepEqual(buildCommand("podman", recipe), [
      "podman",
      "build",
      "-f",
      "/f",
      "-t",
      IMAGE,
      "--build-arg",
      "BASE=n:1",
      "/c",
    ]);
    assert.deepEqual(pushCommand("docker", IMAGE, push), ["docker", "push", IMAGE]);
    assert.equal(
      pushCommand("buildah", IMAGE, push).join(" "),
      `buildah push --tls-verify=false --digestfile /d ${IMAGE} docker://${IMAGE}`,
    );
  });

  it("have the digest that docker prints, or that the others write", () => {
    assert.equal(digestIn(`5f70: Pushed\n0.1.0: digest: ${DIGEST} size: 1234\n`), DIGEST);
    assert.equal(digestIn(`${DIGEST}\n`), DIGEST);
    assert.equal(digestIn("0.1.0: digest: sha256:12 size: 1"), undefined);
  });
});
