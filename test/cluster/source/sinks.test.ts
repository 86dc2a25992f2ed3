import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { installCrds } from "../../support/deploy/install-crds.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { until } from "../../support/until.ts";
import { metricOf, openScene, ready } from "./scene.ts";
import type { Scene } from "./scene.ts";

const NAMES = Array.from({ length: 12 }, (_, i) => `db-${i}`);

describe("source and its sink", () => {
  let scene: Scene;
  let source: FunctionProcess;
  let changes = 0;
  /** One change of each of these SampleDBs: a new child. */
  const change = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await scene.createChild(`change-${(changes += 1)}`, name);
  };
  const waiting = (): Promise<number> => metricOf(source, "sampledb_waiting_keys");
  const nothingWaits = (): Promise<true> =>
    until("an empty queue", async () => (await waiting()) === 0 || undefined, 120_000);

  before(async () => {
    scene = await openScene();
    await installCrds(scene.cluster.kubectl);
    for (const name of NAMES) await scene.createSampleDB(name);
    source = scene.start();
    await ready(source);
    await scene.sink.told(...NAMES);
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await nothingWaits();
    scene.sink.forget();
    scene.sink.receive(() => ({ status: 204 }));
  });

  it("sends others while one takes its time, and that one once more for all that happened meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.sink.receive(async (name) => {
      if (name === "db-0") await promise;
      return { status: 204 };
    });
    await change("db-0");
    await scene.sink.told("db-0");
    for (let i = 0; i < 3; i += 1) await change("db-0", "db-1", "db-2");
    // One watch tells in order: what was before it was seen.
    await change("db-3");
    await scene.sink.told("db-1", "db-2", "db-3");
    await until("one key that waits", async () => (await waiting()) === 1 || undefined, 60_000);
    assert.equal(scene.sink.times("db-0"), 1);
    resolve();
    await nothingWaits();
    assert.equal(scene.sink.times("db-0"), 2);
  });

  it("keeps no more than the keys while nothing is taken, however much happens", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.sink.receive(async () => {
      await promise;
      return { status: 204 };
    });
    for (let i = 0; i < 100; i += 1) await change("db-0", "db-1", "db-2");
    await change("db-3");
    await scene.sink.told("db-3");
    assert.equal(await waiting(), 4);
    resolve();
    await nothingWaits();
    assert.deepEqual(
      ["db-0", "db-1", "db-2", "db-3"].map((name) => scene.sink.times(name)),
      [2, 2, 2, 1],
    );
  });

  it("delivers everything after the sink was down", async () => {
    await scene.sink.down();
    await change(...NAMES);
    await scene.remove("SampleDB", "db-11");
    await until(
      "several failures",
      () => source.logs.filter(({ outcome }) => outcome === "again").length >= NAMES.length,
      60_000,
    );
    await scene.sink.up();
    await scene.sink.told(...NAMES);
    await nothingWaits();
  });

  for (const status of [500, 503, 404, 429]) {
    it(`delivers again, later each time, what was answered with ${status}`, async () => {
      const times: number[] = [];
      scene.sink.receive((_, nth) => {
        times.push(performance.now());
        return { status: nth < 4 ? status : 204 };
      });
      await change("db-0");
      await until("four deliveries", () => scene.sink.times("db-0") >= 4, 60_000);
      await nothingWaits();
      assert.equal(scene.sink.times("db-0"), 4);
      // At least half of 100, 200 and 400 ms. How much more depends on the machine.
      const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
      assert.ok(
        [50, 100, 200].every((least, i) => (gaps[i] ?? 0) >= least - 5),
        gaps.join(),
      );
    });
  }

  it("drops what is refused as malformed, says so, and sends the next change all the same", async () => {
    scene.sink.receive(() => ({ status: 400 }));
    await change("db-0");
    await scene.sink.told("db-0");
    await nothingWaits();
    assert.equal(scene.sink.times("db-0"), 1);
    const lines = source.logs.filter(({ level }) => level === "error");
    assert.deepEqual(
      lines.map(({ key, status, outcome }) => [key, status, outcome]),
      [["shop/db-0", 400, "dropped"]],
    );
    scene.sink.receive(() => ({ status: 204 }));
    await change("db-0");
    await until("a second delivery", () => scene.sink.times("db-0") === 2, 60_000);
  });

  it("leaves no gap when another takes over: two send at once, then the old one ends, in order or not", async () => {
    let old = source;
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      scene.sink.forget();
      const names = Array.from({ length: 30 }, (_, i) => `${signal.toLowerCase()}-${i}`);
      for (const name of names.slice(0, 5)) await scene.createChild(name);
      const next = scene.start();
      for (const name of names.slice(5, 10)) await scene.createChild(name);
      // What a Deployment waits for before it ends the old pod.
      await ready(next);
      for (const name of names.slice(10, 20)) await scene.createChild(name);
      old.kill(signal);
      for (const name of names.slice(20)) await scene.createChild(name);
      await scene.sink.told(...names);
      await old.ended;
      source = next;
      // One watch tells in order: the new one has seen what the old one still sent.
      await scene.createChild(`between-${signal.toLowerCase()}`);
      await scene.sink.told(`between-${signal.toLowerCase()}`);
      await nothingWaits();
      scene.sink.forget();
      await scene.createChild(`after-${signal.toLowerCase()}`);
      await scene.sink.told(`after-${signal.toLowerCase()}`);
      assert.equal(scene.sink.names().length, 1, "nobody but the new one sends");
      old = next;
    }
  });
});
