import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";

const CHECKOUT = path.join(import.meta.dirname, "../../..");

describe("functions/Dockerfile", () => {
  it("builds on the Node that package.json pins", async () => {
    const dockerfile = await readFile(path.join(CHECKOUT, "functions/Dockerfile"), "utf8");
    const base = /^ARG BASE=docker\.io\/library\/node:(?<version>[\d.]+)-/mu.exec(dockerfile)?.groups?.[
      "version"
    ];
    const manifest: { devDependencies: Record<string, string> } = JSON.parse(
      await readFile(path.join(CHECKOUT, "package.json"), "utf8"),
    );
    assert.equal(base, manifest.devDependencies["node"]);
  });
});
