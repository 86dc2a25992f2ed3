import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Metafile } from "esbuild";
import { forbiddenIn, packagesIn } from "../../support/build/forbidden-packages.ts";

const metafileOf = (bytes: Readonly<Record<string, number>>): Metafile => ({
  inputs: {},
  outputs: {
    "dist/any.mjs": {
      bytes: 1,
      imports: [],
      exports: [],
      inputs: Object.fromEntries(
        Object.entries(bytes).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
      ),
    },
  },
});

describe("packages in a bundle", () => {
  const metafile = metafileOf({
    "functions/mutate/index.ts": 10,
    "node_modules/express/index.js": 10,
    "node_modules/@kubernetes/client-node/dist/index.js": 10,
    "node_modules/express/node_modules/ms/index.js": 10,
    "node_modules/cloudevents/index.js": 0,
  });

  it("are those of which something is in it, nested ones too", () => {
    assert.deepEqual(packagesIn(metafile), ["@kubernetes/client-node", "express", "ms"]);
  });

  it("must not be the client and express in admission", () => {
    for (const name of ["admission", "mutate", "validate"])
      assert.deepEqual(forbiddenIn(name, metafile), ["@kubernetes/client-node", "express"]);
  });

  it("may be anything elsewhere", () => {
    assert.deepEqual(forbiddenIn("reconcile", metafile), []);
  });
});
