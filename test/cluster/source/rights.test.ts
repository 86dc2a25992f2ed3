import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { installCrds } from "../../support/deploy/install-crds.ts";
import type { FunctionProcess } from "../../support/function-process.ts";
import { until } from "../../support/until.ts";
import { isReady, openScene, ready, rights } from "./scene.ts";
import type { Scene } from "./scene.ts";

describe("source and what it may not or cannot watch", () => {
  let scene: Scene;
  let source: FunctionProcess;
  const warned = (kind: string, pattern: RegExp): Promise<unknown> =>
    until(
      `a warning about ${kind} like ${String(pattern)}`,
      () => source.logs.some((line) => line["kind"] === kind && pattern.test(String(line["message"]))),
      60_000,
    );
  const notReady = (): Promise<true> =>
    until("the end of readiness", async () => !(await isReady(source)) || undefined, 60_000);

  before(async () => {
    scene = await openScene();
    source = scene.start();
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
  });
  beforeEach(() => scene.sink.forget());

  it("sends the SampleDBs of children while the CRD is missing, and is not ready", async () => {
    await scene.createChild("orphan");
    await scene.sink.told("orphan");
    await warned("SampleDB", /404/u);
    assert.equal(await isReady(source), false);
  });

  it("sends SampleDBs once the CRD is installed, and is ready", async () => {
    await installCrds(scene.cluster.kubectl);
    await scene.createSampleDB("orders");
    await scene.sink.told("orders");
    await ready(source);
  });

  it("goes on with the other kinds while one is forbidden, and misses nothing of that one", async () => {
    const { role } = rights();
    const rules = (role.rules ?? []).map(({ apiGroups, resources, verbs }) => ({
      apiGroups,
      resources: resources.filter((resource) => resource !== "configmaps"),
      verbs,
    }));
    await scene.apply({ ...role, rules });
    scene.path.cut();
    await warned("ConfigMap", /403.*forbidden/u);
    await notReady();
    await scene.createChild("unseen");
    await scene.remove("ConfigMap", "orphan");
    await scene.createSampleDB("users");
    await scene.kubectl("create", "secret", "generic", "stock");
    await scene.kubectl("label", "secret", "stock", "sampledb.dev/database=stock");
    await scene.sink.told("users", "stock");
    assert.deepEqual(new Set(scene.sink.names()), new Set(["users", "stock"]));
    await scene.apply(role);
    await scene.sink.told("unseen", "orphan");
    await ready(source);
  });

  it("says that it may not watch while its rights are gone, and misses nothing once they are back", async () => {
    const linesBefore = source.logs.length;
    await scene.kubectl("delete", "clusterrolebinding", "source");
    scene.path.cut();
    await notReady();
    for (const kind of ["SampleDB", "ConfigMap", "Pod"]) await warned(kind, /403.*forbidden/u);
    await scene.createSampleDB("late");
    await scene.remove("SampleDB", "orders");
    await scene.remove("ConfigMap", "unseen");
    assert.deepEqual(scene.sink.names(), []);
    await scene.apply(rights().binding);
    await scene.sink.told("late", "orders", "unseen");
    await ready(source);
    assert.ok(source.logs.slice(linesBefore).every(({ level }) => level !== "error"));
    assert.ok(source.logs.slice(linesBefore).some(({ message }) => message === "watching again"));
  });
});
