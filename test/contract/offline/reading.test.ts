import assert from "node:assert/strict";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { FINALIZER } from "../../../functions/shared/api/markers.ts";
import { type Command, buildCommand } from "./command.ts";
import { SOUND, TOLD, WIPE, WRONG, inFolder } from "./in-folder.ts";

let command: Command;
let circle = "";
before(async () => {
  command = await buildCommand();
  circle = await mkdtemp(join(tmpdir(), "circle-"));
});
after(async () => {
  await command[Symbol.asyncDispose]();
  await rm(circle, { recursive: true });
});

describe("sampledb-validate reads", () => {
  it("the manifests below a folder, each once, and not what is hidden or installed", async () => {
    const found = { "k/b.yml": WRONG, "k/l/c.json": WRONG, "k/a.yaml": WRONG };
    const skipped = { "k/.git/d.yaml": WRONG, "k/node_modules/e.yaml": WRONG, "k/f.txt": WRONG };
    const { stdout } = await inFolder(command, { ...found, ...skipped }, ["k", "k/a.yaml"]);
    const files = stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(":")[0]);
    assert.deepEqual(files, ["k/a.yaml", "k/b.yml", "k/l/c.json"]);
  });

  it("links to files, and no links in a circle", async () => {
    await writeFile(join(circle, "a.txt"), WRONG);
    await symlink("a.txt", join(circle, "a.yaml"));
    await symlink(".", join(circle, "again"));
    const { stdout } = await command.validate(["."], { cwd: circle });
    assert.equal(stdout, `a.yaml:${TOLD}\n`);
    await symlink("b.yaml", join(circle, "b.yaml"));
    const ended = await command.validate(["."], { cwd: circle });
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /b\.yaml.* is a link to itself\n/u);
  });

  const CATALOG = 'default: "16"\n  "16": example.com/postgres:16.1';
  const MAP = `kind: ConfigMap\nmetadata: {name: sampledb-catalog}\ndata:\n  ${CATALOG}\n`;

  it("the catalog of a manifest, and of a folder as Kubernetes mounts it", async () => {
    const manifest = { "a.yaml": SOUND, "c.yaml": `kind: ConfigMap\n---\n${MAP}` };
    const { stdout } = await inFolder(command, manifest, ["--catalog", "c.yaml", "--print", "a.yaml"]);
    assert.match(stdout, /^ {2}version: "16"$/mu);
    const mounted = {
      "a.yaml": WRONG.replace("17", '"17"'),
      "c/default": "16\n",
      "c/16": "example.com/postgres:16.1",
    };
    const ended = await inFolder(command, mounted, ["--catalog", "c", "a.yaml"]);
    assert.match(ended.stdout, /^a\.yaml:6:12: spec\.version: "17": the catalog offers no PostgreSQL 17/u);
  });

  it("no catalog that is none", async () => {
    const files = {
      "a.yaml": SOUND,
      "none.yaml": "kind: Pod\n",
      "broken.yaml": MAP.replace('"16": ', '"7": '),
    };
    const none = await inFolder(command, files, ["--catalog", "none.yaml", "a.yaml"]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /--catalog none\.yaml: holds no ConfigMap sampledb-catalog/u);
    const broken = await inFolder(command, files, ["--catalog", "broken.yaml", "a.yaml"]);
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /the catalog is broken: 7 is no PostgreSQL version/u);
  });
});

describe("sampledb-validate --print", () => {
  it("prints what the cluster would hold, which is right and stays the same", async () => {
    const files = {
      "a.yaml": `${SOUND}---\n${WIPE.replace("orders", "sales")}---\n${WRONG.replace("orders", "x")}`,
    };
    const first = await inFolder(command, files, ["--print", "a.yaml"]);
    assert.match(first.stderr, /spec\.version: 17: must be a string.*\n3 SampleDBs in/su);
    const printed = parseAllDocuments(first.stdout).map((document): { metadata: object } => document.toJS());
    assert.deepEqual(
      printed.map(({ metadata }) => metadata),
      [
        { name: "orders", finalizers: [FINALIZER] },
        { name: "sales", finalizers: [FINALIZER] },
      ],
    );
    const second = await command.validate(["--print", "-"], { input: first.stdout });
    assert.equal(second.code, 0);
    assert.equal(second.stdout, first.stdout);
  });
});
