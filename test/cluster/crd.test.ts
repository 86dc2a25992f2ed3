import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../support/cluster/index.ts";
import { invalidSamples, validSamples } from "../support/read-samples.ts";
import { ask, startCrdCluster } from "./admission-scene.ts";
import type { Said } from "./admission-scene.ts";

const manifest = (name: string, spec: string): string =>
  `{apiVersion: sampledb.dev/v1, kind: SampleDB, metadata: {name: ${name}, namespace: shop}, spec: ${spec}}`;

describe("the CRD on a real API server, without admission", () => {
  let cluster: LocalCluster;
  before(async () => {
    cluster = await startCrdCluster();
  });
  after(() => cluster.stop());
  const apply = (text: string): Promise<Said> => ask(cluster, ["apply", "-f", "-"], text);

  for (const [index, { file, documents, withoutAdmission }] of invalidSamples().entries()) {
    it(`${withoutAdmission === "refused" ? "refuses" : "lets pass"} samples/invalid/${file}`, async () => {
      const [text = "", ...earlier] = documents
        .map((each) => each.replace("name: orders\n", `name: orders-${index}\n`))
        .toReversed();
      for (const document of earlier) assert.deepEqual((await apply(document)).ok, true);
      const said = await apply(text);
      assert.equal(said.ok, withoutAdmission === "created", said.text);
      if (!said.ok) assert.match(said.text, /is invalid/u);
    });
  }

  for (const { file, path } of validSamples()) {
    it(`accepts samples/${file}`, async () => {
      const said = await ask(cluster, ["apply", "--dry-run=server", "-f", path]);
      assert.ok(said.ok, said.text);
    });
  }

  it("gives static defaults and keeps unknown fields out", async () => {
    assert.ok((await apply(manifest("empty", "{}"))).ok);
    const spec = await cluster.kubectl(["get", "sdb", "empty", "-n", "shop", "-o", "jsonpath={.spec}"]);
    assert.deepEqual(JSON.parse(spec), { deletion: { policy: "Retain", protection: false }, paused: false });
    assert.match((await apply(manifest("empty", "{replicas: 3}"))).text, /unknown field "spec\.replicas"/u);
  });

  it("says what a message needs to say where it refuses", async () => {
    const said = await apply(
      manifest(
        "wrong",
        "{version: '17', image: 'postgres:16.9', storage: {size: 1Mi}, database: {owner: postgres}}",
      ),
    );
    for (const part of ["another PostgreSQL major version", "at least 256Mi", "must not be postgres"])
      assert.ok(said.text.includes(part), said.text);
  });

  it("takes a digest for what it is, not for a version", async () => {
    const digest = `sha256:${"0a".repeat(32)}`;
    assert.ok(
      (await apply(manifest("digest", `{version: '17', image: 'example.com/postgres@${digest}'}`))).ok,
    );
    assert.ok(
      (await apply(manifest("digest", `{version: '17', image: 'example.com/postgres:17.5@${digest}'}`))).ok,
    );
  });

  it("lets the same be written another way, and a default be written out", async () => {
    assert.ok((await apply(manifest("same", "{}"))).ok);
    assert.ok(
      (
        await apply(
          manifest("same", "{version: '17', storage: {size: 1Gi}, database: {name: app, owner: app}}"),
        )
      ).ok,
    );
    assert.ok(
      (
        await apply(
          manifest(
            "same",
            "{version: '17', storage: {size: 1024Mi}, resources: {requests: {cpu: 1}, limits: {cpu: 1000m}}}",
          ),
        )
      ).ok,
    );
  });

  it("refuses to forget what is pinned", async () => {
    assert.ok((await apply(manifest("pinned", "{version: '16', database: {name: sales}}"))).ok);
    const { text } = await apply(manifest("pinned", "{}"));
    assert.match(text, /spec\.version.*cannot be changed/u);
    assert.match(text, /database\.name cannot be changed/u);
  });

  it("explains every field to kubectl explain", async () => {
    const text = await cluster.kubectl(["explain", "sampledb.spec"]);
    for (const field of [
      "version",
      "image",
      "storage",
      "database",
      "init",
      "resources",
      "deletion",
      "paused",
    ])
      assert.match(text, new RegExp(`^  ${field}\\t`, "mu"));
    assert.match(
      await cluster.kubectl(["explain", "sdb.spec.deletion.policy"]),
      /Wipe: everything is deleted for good/u,
    );
  });

  it("shows version, readiness, reason and endpoint in columns, from the status subresource", async () => {
    const status = {
      endpoint: "shown.shop.svc:5432",
      conditions: [
        {
          type: "Ready",
          status: "False",
          reason: "WaitingForInit",
          message: "m",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
    };
    assert.ok((await apply(manifest("shown", "{version: '17'}"))).ok);
    await cluster.kubectl([
      "patch",
      "sdb",
      "shown",
      "-n",
      "shop",
      "--subresource=status",
      "--type=merge",
      "-p",
      JSON.stringify({ status }),
    ]);
    const table = await cluster.kubectl(["get", "databases", "-n", "shop"]);
    assert.match(table, /^NAME +VERSION +READY +REASON +ENDPOINT +AGE$/mu);
    assert.match(table, /^shown +17 +False +WaitingForInit +shown\.shop\.svc:5432 /mu);
  });
});
