import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, it } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { yamlFilesBelow } from "../../support/kustomize/manifest-files.ts";

const MANIFESTS = resolve(import.meta.dirname, "../../../manifests");
const FILES = yamlFilesBelow(".").filter((file) => file.endsWith("kustomization.yaml"));

type Patch = { readonly path?: string; readonly patch?: string };

const patchesIn = (file: string): readonly Patch[] => {
  const { patches }: { readonly patches?: readonly Patch[] } = parse(
    readFileSync(join(MANIFESTS, file), "utf8"),
  );
  return patches ?? [];
};

const textOf = (file: string, { path, patch = "" }: Patch): string =>
  path === undefined ? patch : readFileSync(join(MANIFESTS, dirname(file), path), "utf8");

describe("kustomizations' patches", () => {
  it("remove one object each: kubectl before 1.34 panics where one patch removes two", () => {
    const texts = FILES.flatMap((file) => patchesIn(file).map((patch) => textOf(file, patch)));
    const removing = texts.filter((text) => text.includes("$patch: delete"));
    assert.ok(removing.length > 20);
    for (const text of removing) assert.equal(parseAllDocuments(text).length, 1, text);
  });
});
