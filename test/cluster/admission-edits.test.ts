import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../support/cluster/index.ts";
import { largeLabels } from "../support/large-labels.ts";
import { plainApi } from "../support/plain-api.ts";
import type { PlainApi } from "../support/plain-api.ts";
import { Admission, ask, startCrdCluster } from "./admission-scene.ts";
import type { Said } from "./admission-scene.ts";

const COLLECTION = "/apis/sampledb.dev/v1/namespaces/shop/sampledbs";
const MIB = 2 ** 20;
const REFUSED = /spec\.image: "postgres": must name a tag or a digest/u;
const DENIED = /spec\.image: \\"postgres\\": must name a tag or a digest/u;

const object = (name: string, spec: object, labels?: Readonly<Record<string, string>>) => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name, namespace: "shop", ...(labels === undefined ? {} : { labels }) },
  spec,
});

const metadataOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && "metadata" in value ? Object(value.metadata) : {};

describe("every way to change a SampleDB passes admission", () => {
  let cluster: LocalCluster;
  let admission: Admission;
  let api: PlainApi;
  let folder = "";
  before(async () => {
    cluster = await startCrdCluster();
    admission = await Admission.start(cluster);
    api = await plainApi(cluster.kubeconfig, 1);
    folder = await mkdtemp(join(tmpdir(), "admission-edits-"));
  });
  after(async () => {
    api.close();
    await admission.stop();
    await cluster.stop();
    await rm(folder, { recursive: true });
  });

  const kubectl = (args: readonly string[], input?: object): Promise<Said> =>
    ask(cluster, ["-n", "shop", ...args], input === undefined ? undefined : JSON.stringify(input));
  const applyAs = (manager: string, spec: object): Promise<Said> =>
    kubectl(["apply", "--server-side", `--field-manager=${manager}`, "-f", "-"], object("applied", spec));
  const create = async (name: string, spec: object = {}): Promise<void> => {
    const said = await kubectl(["create", "-f", "-"], object(name, spec));
    assert.ok(said.ok, said.text);
  };
  const read = async (name: string, path: string): Promise<string> =>
    (await kubectl(["get", "sdb", name, "-o", `jsonpath={${path}}`])).text;

  /** kubectl edit with an editor that replaces one text by another. */
  const edit = async (name: string, from: string, to: string): Promise<Said> => {
    const script = join(folder, "editor.sh");
    await writeFile(script, `#!/bin/sh\nsed -i 's|${from}|${to}|' "$1"\n`, { mode: 0o755 });
    // Only kubectl edit reads it.
    process.env["KUBE_EDITOR"] = script;
    try {
      return await kubectl(["edit", "sdb", name]);
    } finally {
      delete process.env["KUBE_EDITOR"];
    }
  };

  it("kubectl edit", async () => {
    await create("edited", { image: "example.com/postgres:17.5" });
    const said = await edit("edited", "postgres:17.5", "postgres:17.6");
    assert.ok(said.ok, said.text);
    assert.equal(await read("edited", ".spec.image"), "example.com/postgres:17.6");
    const refused = await edit("edited", "example.com/postgres:17.6", "postgres");
    assert.equal(refused.ok, false);
    assert.equal(await read("edited", ".spec.image"), "example.com/postgres:17.6");
  });

  it("kubectl replace, of the whole object and of a stale one", async () => {
    await create("replaced", { database: { name: "sales" } });
    const refused = await kubectl(["replace", "-f", "-"], object("replaced", { image: "postgres" }));
    assert.match(refused.text, REFUSED);
    assert.ok((await kubectl(["replace", "-f", "-"], object("replaced", { paused: true }))).ok);
    assert.equal(await read("replaced", ".spec.database.name"), "sales");
    const stale = object("replaced", {});
    const metadata = { ...stale.metadata, resourceVersion: "1" };
    assert.match((await kubectl(["replace", "-f", "-"], { ...stale, metadata })).text, /has been modified/u);
  });

  it("kubectl patch of both kinds", async () => {
    await create("patched");
    for (const [type, good, bad] of [
      ["merge", '{"spec":{"paused":true}}', '{"spec":{"image":"postgres"}}'],
      [
        "json",
        '[{"op":"replace","path":"/spec/paused","value":false}]',
        '[{"op":"add","path":"/spec/image","value":"postgres"}]',
      ],
    ] as const) {
      const said = await kubectl(["patch", "sdb", "patched", `--type=${type}`, "-p", good]);
      assert.ok(said.ok, said.text);
      assert.match((await kubectl(["patch", "sdb", "patched", `--type=${type}`, "-p", bad])).text, REFUSED);
    }
  });

  it("a patch that removes what is pinned, or the finalizer, which come back", async () => {
    await create("pinned");
    const removal = JSON.stringify(
      ["/spec/version", "/spec/resources", "/metadata/finalizers"].map((path) => ({ op: "remove", path })),
    );
    const said = await kubectl(["patch", "sdb", "pinned", "--type=json", "-p", removal]);
    assert.ok(said.ok, said.text);
    assert.equal(await read("pinned", ".spec.version"), "17");
    assert.equal(await read("pinned", ".spec.resources.limits.memory"), "512Mi");
    assert.equal(await read("pinned", ".metadata.finalizers[*]"), "sampledb.dev/retire");
  });

  it("server-side apply, with a conflict between managers told as such", async () => {
    assert.ok((await applyAs("one", { image: "example.com/postgres:17.5" })).ok);
    assert.match((await applyAs("one", { image: "postgres" })).text, REFUSED);
    assert.match((await applyAs("two", { image: "example.com/postgres:17.6" })).text, /conflict/iu);
    const said = await applyAs("two", { paused: true });
    assert.ok(said.ok, said.text);
  });

  it("a dry run, which writes nothing", async () => {
    const said = await kubectl(
      ["create", "--dry-run=server", "-o", "jsonpath={.spec.version}", "-f", "-"],
      object("dry", {}),
    );
    assert.deepEqual(said, { ok: true, text: "17" });
    assert.equal((await kubectl(["get", "sdb", "dry"])).ok, false);
  });

  it("status, which nobody judges, and scale, which there is none of", async () => {
    await create("observed");
    const status = await kubectl([
      "patch",
      "sdb",
      "observed",
      "--subresource=status",
      "--type=merge",
      "-p",
      '{"status":{"version":"17"},"spec":{"image":"postgres"}}',
    ]);
    assert.ok(status.ok, status.text);
    assert.equal(await read("observed", ".spec.image"), "");
    assert.match(
      (await kubectl(["scale", "sdb", "observed", "--replicas=2"])).text,
      /could not find|not found/iu,
    );
  });

  it("objects of the API server's limit, alone and as an update of what etcd holds at most", async () => {
    const labels = largeLabels(2.9 * MIB);
    const made = JSON.stringify(
      await api.call("POST", `${COLLECTION}?dryRun=All`, object("large", {}, labels)),
    );
    assert.match(made, /"finalizers":\["sampledb\.dev\/retire"\]/u);
    const stored = await api.call("POST", COLLECTION, object("large", {}, largeLabels(0.7 * MIB)));
    const { resourceVersion } = metadataOf(stored);
    const update = (spec: object): Promise<unknown> => {
      const sent = object("large", spec, labels);
      const metadata = { ...sent.metadata, resourceVersion };
      return api.call("PUT", `${COLLECTION}/large?dryRun=All`, { ...sent, metadata });
    };
    await update({ paused: true });
    await assert.rejects(update({ image: "postgres" }), DENIED);
  });
});
