import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { bundle } from "../support/build/bundle.ts";
import { packagesIn } from "../support/build/forbidden-packages.ts";

const folder = mkdtempSync(join(tmpdir(), "bundle-"));
after(() => rmSync(folder, { recursive: true }));

describe("the bundles of admission", () => {
  for (const name of ["admission", "mutate", "validate"]) {
    it(`${name} is below 100 kB and has neither the Kubernetes client nor express in it`, async () => {
      const { metafile } = await bundle(name, folder);
      const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
      assert.ok(bytes < 100_000, `${bytes} bytes`);
      assert.deepEqual(packagesIn(metafile), []);
    });
  }
});
