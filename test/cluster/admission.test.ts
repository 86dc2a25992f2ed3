import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../support/cluster/index.ts";
import { invalidSamples, validSamples } from "../support/read-samples.ts";
import { Admission, ask, startCrdCluster } from "./admission-scene.ts";
import type { Said } from "./admission-scene.ts";

const manifest = (metadata: string, spec: string): string =>
  `{apiVersion: sampledb.dev/v1, kind: SampleDB, metadata: {namespace: shop, ${metadata}}, spec: ${spec}}`;

describe("admission on a real API server", () => {
  let cluster: LocalCluster;
  let admission: Admission;
  before(async () => {
    cluster = await startCrdCluster();
    admission = await Admission.start(cluster);
  });
  after(async () => {
    await admission.stop();
    await cluster.stop();
  });
  const apply = (text: string): Promise<Said> => ask(cluster, ["apply", "-f", "-"], text);
  const serverSide = (manager: string, spec: string): Promise<Said> =>
    ask(
      cluster,
      ["apply", "--server-side", `--field-manager=${manager}`, "-f", "-"],
      manifest("name: shared", spec),
    );
  const read = async (name: string, path: string): Promise<unknown> => {
    const text = await cluster.kubectl(["get", "sdb", name, "-n", "shop", "-o", `jsonpath={${path}}`]);
    return JSON.parse(text);
  };

  for (const [index, { file, documents, expected }] of invalidSamples().entries()) {
    it(`refuses samples/invalid/${file} with its message`, async () => {
      const [text = "", ...earlier] = documents
        .map((each) => each.replace("name: orders\n", `name: orders-${index}\n`))
        .toReversed();
      for (const document of earlier) assert.ok((await apply(document)).ok);
      const said = await apply(text);
      assert.equal(said.ok, false);
      for (const message of expected) assert.ok(said.text.includes(message), said.text);
    });
  }

  for (const { file, path } of validSamples()) {
    it(`accepts samples/${file}`, async () => {
      const said = await ask(cluster, ["apply", "--dry-run=server", "-f", path]);
      assert.ok(said.ok, said.text);
    });
  }

  it("pins everything at creation, and applying again changes nothing", async () => {
    assert.ok((await apply(manifest("name: filled", "{database: {name: sales}}"))).ok);
    assert.deepEqual(await read("filled", ".spec"), {
      version: "17",
      storage: { size: "1Gi" },
      database: { name: "sales", owner: "app" },
      resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { cpu: "1", memory: "512Mi" } },
      deletion: { policy: "Retain", protection: false },
      paused: false,
    });
    assert.deepEqual(await read("filled", ".metadata.finalizers"), ["sampledb.dev/retire"]);
    const said = await apply(manifest("name: filled", "{database: {name: sales}}"));
    assert.match(said.text, /unchanged/u);
    assert.equal(await read("filled", ".metadata.generation"), 1);
  });

  it("fills in a SampleDB whose name the API server makes", async () => {
    const said = await ask(
      cluster,
      ["create", "-o", "jsonpath={.spec.version}", "-f", "-"],
      manifest("generateName: orders-", "{}"),
    );
    assert.deepEqual(said, { ok: true, text: "17" });
  });

  it("keeps finalizer and pinned fields when a bare manifest replaces the object", async () => {
    assert.ok((await apply(manifest("name: replaced", "{version: '16', storage: {size: 2Gi}}"))).ok);
    const said = await ask(cluster, ["replace", "-f", "-"], manifest("name: replaced", "{}"));
    assert.ok(said.ok, said.text);
    assert.equal(await read("replaced", ".metadata.generation"), 1);
    assert.deepEqual(await read("replaced", ".metadata.finalizers"), ["sampledb.dev/retire"]);
    assert.deepEqual(await read("replaced", ".spec.storage"), { size: "2Gi" });
  });

  it("works with server-side apply by two managers", async () => {
    assert.ok((await serverSide("one", "{resources: {limits: {memory: 1Gi}}}")).ok);
    const said = await serverSide("two", "{paused: true}");
    assert.ok(said.ok, said.text);
    assert.equal((await serverSide("one", "{resources: {limits: {memory: 1Gi}}}")).ok, true);
    assert.deepEqual(await read("shared", ".spec.resources.limits"), { cpu: "1", memory: "1Gi" });
  });

  it("shows warnings to kubectl", async () => {
    // kubectl prints warnings on stderr, which the harness shows of failures only: ask the API server for one.
    const said = await ask(
      cluster,
      ["apply", "--warnings-as-errors", "--dry-run=server", "-f", "-"],
      manifest("name: wiped", "{deletion: {policy: Wipe}}"),
    );
    assert.equal(said.ok, false);
    assert.match(said.text, /"Wipe": deletes the data for good/u);
  });

  it("lets a deletion and the removal of the finalizer through, even of an object that no rule allows", async () => {
    assert.ok((await apply(manifest("name: ending", "{}"))).ok);
    await cluster.kubectl(["delete", "sdb", "ending", "-n", "shop", "--wait=false"]);
    await cluster.kubectl([
      "patch",
      "sdb",
      "ending",
      "-n",
      "shop",
      "--type=json",
      "-p",
      '[{"op":"remove","path":"/metadata/finalizers"}]',
    ]);
    assert.equal((await ask(cluster, ["get", "sdb", "ending", "-n", "shop"])).ok, false);
  });

  it("logs a line a review, with key and uid and without the object", () => {
    const lines = admission.output.trim().split("\n");
    for (const line of lines) assert.doesNotThrow(() => JSON.parse(line));
    assert.ok(
      lines.some((line) => line.includes('"function":"mutate","outcome":"allowed","key":"shop/filled"')),
    );
    assert.ok(!admission.output.includes("sales"));
  });
});
