import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { bundle } from "../support/build/bundle.ts";
import { filesAtStart, packagesAtStart } from "../support/build/forbidden-packages.ts";
import { startProgram } from "../support/function-process.ts";
import type { FunctionProcess } from "../support/function-process.ts";

const folder = mkdtempSync(join(tmpdir(), "bundle-"));
after(() => rmSync(folder, { recursive: true }));

describe("the bundles of admission", () => {
  for (const name of ["admission", "mutate", "validate"]) {
    it(`${name} is below 100 kB and has neither the Kubernetes client nor express in it`, async () => {
      const { file, metafile } = await bundle(name, folder);
      const { size } = await stat(file);
      assert.ok(size < 100_000, `${size} bytes`);
      assert.deepEqual(packagesAtStart(metafile), []);
    });
  }
});

describe("the bundle of reconcile, in a pod", () => {
  let started: FunctionProcess;

  before(async () => {
    const { file, files, metafile } = await bundle("reconcile", folder);
    const needed = new Set([...filesAtStart(metafile)].map((path) => basename(path)));
    const lazy = files.filter((path) => !needed.has(basename(path)));
    assert.ok(lazy.length > 0, "nothing is lazy");
    // What is not there cannot be loaded.
    for (const path of lazy) await rm(path);
    started = startProgram(file, { KUBERNETES_SERVICE_HOST: "127.0.0.1" });
  });
  after(() => started[Symbol.asyncDispose]());

  const post = async (headers: Readonly<Record<string, string>>, body: string): Promise<number> => {
    const { status } = await fetch(await started.url(), { method: "POST", headers, body });
    return status;
  };

  it("starts and works on an event without its lazy files", async () => {
    const event = {
      "content-type": "application/json",
      "ce-id": "1",
      "ce-specversion": "1.0",
      "ce-type": "any",
      "ce-source": "/test",
    };
    // Without a service account the API server cannot be used.
    const key = { "ce-kind": "SampleDB", "ce-namespace": "shop", "ce-name": "orders" };
    assert.equal(await post({ ...event, ...key }, "{}"), 503);
    assert.equal(await post(event, "{}"), 204);
  });

  it("shows metrics with them", async () => {
    const { file } = await bundle("reconcile", join(folder, "whole"));
    await using whole = startProgram(file, { KUBERNETES_SERVICE_HOST: "127.0.0.1" });
    const page = await fetch(`${await whole.url()}/metrics`);
    assert.match(await page.text(), /^process_resident_memory_bytes \d+$/mu);
  });

  it("answers as the unbundled one does: types with their charset, and 400 to a form or another encoding", async () => {
    const page = await fetch(`${await started.url()}/healthz`);
    assert.equal(page.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(await post({ "content-type": "application/x-www-form-urlencoded" }, "a=b"), 400);
    assert.equal(await post({ "content-type": "text/plain; charset=latin1" }, "a"), 400);
    assert.equal(await post({ "content-encoding": "br", "content-type": "application/json" }, "{}"), 400);
  });
});
