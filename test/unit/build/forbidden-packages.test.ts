import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Metafile } from "esbuild";
import { filesAtStart, forbiddenIn, packagesAtStart } from "../../support/build/forbidden-packages.ts";

type Output = Metafile["outputs"][string];

const outputOf = (bytes: Readonly<Record<string, number>>, imports: Output["imports"] = []): Output => ({
  bytes: 1,
  imports,
  exports: [],
  inputs: Object.fromEntries(Object.entries(bytes).map(([path, bytesInOutput]) => [path, { bytesInOutput }])),
});

const client = { "node_modules/@kubernetes/client-node/dist/index.js": 10 };

const metafile: Metafile = {
  inputs: {},
  outputs: {
    "dist/any.mjs": outputOf(
      {
        "functions/mutate/index.ts": 10,
        "node_modules/express/index.js": 10,
        "node_modules/express/node_modules/ms/index.js": 10,
        "node_modules/cloudevents/index.js": 0,
      },
      [
        { path: "dist/part-both-1.mjs", kind: "import-statement" },
        { path: "dist/part-later-2.mjs", kind: "dynamic-import" },
        { path: "node:module", kind: "import-statement", external: true },
      ],
    ),
    "dist/part-both-1.mjs": outputOf({ "node_modules/debug/index.js": 10 }),
    "dist/part-later-2.mjs": outputOf(client, [{ path: "dist/part-both-1.mjs", kind: "import-statement" }]),
  },
};

const alone = (...paths: readonly string[]): Metafile => ({
  inputs: {},
  outputs: { "dist/any.mjs": outputOf(Object.fromEntries(paths.map((path) => [path, 1]))) },
});

describe("what a process loads when it starts", () => {
  it("is its file and what that imports, except dynamically", () => {
    assert.deepEqual([...filesAtStart(metafile)], ["dist/any.mjs", "dist/part-both-1.mjs"]);
  });

  it("are the packages of which something is in there, nested ones too", () => {
    assert.deepEqual(packagesAtStart(metafile), ["debug", "express", "ms"]);
  });

  it("must not be the client, tokens or traces, in no function", () => {
    const names = ["@kubernetes/client-node", "@opentelemetry/sdk-trace-base", "jose"];
    const all = alone(...names.map((name) => `node_modules/${name}/index.js`));
    for (const name of ["admission", "reconcile", "source"]) assert.deepEqual(forbiddenIn(name, all), names);
  });

  it("must not be express in admission, and may be elsewhere", () => {
    for (const name of ["admission", "mutate", "validate"])
      assert.deepEqual(forbiddenIn(name, metafile), ["express"]);
    assert.deepEqual(forbiddenIn("reconcile", metafile), []);
  });
});
