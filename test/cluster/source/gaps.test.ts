import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { installCrds } from "../../support/deploy/install-crds.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { until } from "../../support/until.ts";
import { compact } from "./compact.ts";
import { child, openScene, ready, sampleDB } from "./scene.ts";
import type { Scene } from "./scene.ts";

const KINDS = 9;

describe("source and connections that fail", () => {
  let scene: Scene;
  let source: FunctionProcess;
  const warned = (pattern: RegExp): Promise<unknown> =>
    until(
      `a warning like ${String(pattern)}`,
      () => source.logs.some(({ level, message }) => level === "warning" && pattern.test(String(message))),
      60_000,
    );
  const watching = (): Promise<true> =>
    until("nine watches", () => scene.path.watches() === KINDS || undefined, 60_000);
  const lists = (): number => scene.path.requests.filter((path) => !path.includes("watch=true")).length;

  before(async () => {
    scene = await openScene();
    await installCrds(scene.cluster.kubectl);
    await scene.apply(sampleDB("orders"), sampleDB("users"), child("users"));
    source = scene.start({ WATCH_SILENCE_SECONDS: "5" });
    await ready(source);
    await scene.sink.told("orders", "users");
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
  });
  beforeEach(() => scene.sink.forget());

  it("misses nothing when all connections are reset again and again", async () => {
    const listed = lists();
    const names = Array.from({ length: 40 }, (_, i) => `reset-${i}`);
    for (const [i, name] of names.entries()) {
      if (i % 5 === 4) scene.path.cut();
      await scene.createChild(name);
    }
    await scene.sink.told(...names);
    assert.equal(lists(), listed, "no list was needed");
    assert.ok(source.logs.some(({ failures }) => failures === 1));
  });

  it("misses nothing when a connection is reset in the middle of an event", async () => {
    await watching();
    scene.path.halve();
    await scene.createChild("half");
    await scene.sink.told("half");
  });

  it("misses nothing when what is no event comes in between", async () => {
    await watching();
    scene.path.inject("<html><body>502 Bad Gateway</body></html>\n");
    await scene.createChild("garbage");
    await scene.sink.told("garbage");
    await warned(/not JSON/u);
  });

  it("notices that connections fell silent without an end", async () => {
    await watching();
    scene.path.stall();
    assert.equal(scene.path.watches(), 0);
    await scene.createChild("silent");
    await scene.sink.told("silent");
    await watching();
  });

  it("lists again where the API server forgot what happened meanwhile, and misses neither changes nor deletions", async () => {
    await scene.createSampleDB("removed");
    await scene.sink.told("removed");
    const listed = lists();
    scene.path.close();
    await scene.createSampleDB("added");
    await scene.createChild("later");
    // The one child of its kind that its SampleDB has, and a SampleDB that leaves nothing behind.
    await scene.remove("ConfigMap", "users");
    await scene.remove("SampleDB", "removed");
    await compact(scene.cluster.etcd);
    await scene.cluster.stopComponent("kube-apiserver");
    await scene.cluster.startComponent("kube-apiserver");
    scene.sink.forget();
    scene.path.open();
    await scene.sink.told("added", "later", "users", "removed");
    await warned(/too old|Expired|compacted/u);
    assert.ok(lists() > listed);
    await ready(source);
    scene.sink.forget();
    await scene.remove("SampleDB", "added");
    await scene.sink.told("added");
  });
});
