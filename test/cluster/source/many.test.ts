import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { installCrds } from "../../support/deploy/install-crds.ts";
import { until } from "../../support/until.ts";
import { metricOf, openScene, ready } from "./scene.ts";
import type { Scene } from "./scene.ts";

const COUNT = 2000;

describe("source and 2,000 SampleDBs", () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
    await installCrds(scene.cluster.kubectl);
    await scene.createMany(COUNT);
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
  });

  it("reads them in pages and sends each once", async () => {
    const source = scene.start();
    await ready(source);
    await until("every key", () => new Set(scene.sink.names()).size === COUNT, 120_000);
    const waiting = async (): Promise<boolean> => (await metricOf(source, "sampledb_waiting_keys")) === 0;
    await until("an empty queue", waiting, 60_000);
    assert.equal(scene.sink.names().length, COUNT);
    const pages = scene.path.requests.filter((path) => /sampledbs\?.*limit=250/u.test(path));
    assert.equal(pages.length, COUNT / 250);
    // From its sources, with the client library: the figure for a bundle is a benchmark's.
    const bytes = await metricOf(source, "process_resident_memory_bytes");
    assert.ok(bytes < 250e6, `${bytes} bytes`);
  });
});
