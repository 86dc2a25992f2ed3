import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { BUILT_IN_CATALOG } from "../../../functions/shared/api/catalog.ts";
import { readCatalog } from "../../../functions/shared/api/read-catalog.ts";
import { catalogFolder, catalogFrom } from "../../../functions/shared/serve/catalog-file.ts";

const entries = {
  default: "16",
  latest: "17",
  "16": "example.com/postgres:16.9",
  "17": "example.com/postgres:17.5",
};

describe("readCatalog", () => {
  it("reads versions, default and latest, without the line ends of files", () => {
    assert.deepEqual(readCatalog({ ...entries, default: "16\n", "17": "example.com/postgres:17.5\n" }), {
      default: "16",
      latest: "17",
      images: { "16": "example.com/postgres:16.9", "17": "example.com/postgres:17.5" },
    });
  });

  it("takes the newest version for latest where none is named", () => {
    const { latest: _, ...rest } = entries;
    assert.equal(readCatalog(rest).latest, "17");
  });

  it("tells everything that is wrong", () => {
    assert.throws(
      () => readCatalog({ latest: "18", "16": "a b", "17": "", "9": "postgres:9" }),
      /9 is no PostgreSQL version that is known.*16 has no usable image: "a b"; 17 has no usable image: "".*default is missing.*latest is 18 and has no image/u,
    );
  });
});

describe("catalogFrom", () => {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "catalog-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Puts files where Kubernetes puts a ConfigMap's: a new folder behind the link ..data, swapped in one step. */
  const mount = (generation: string, files: Readonly<Record<string, string>>): string => {
    const folder = join(root, "mounted");
    mkdirSync(join(folder, generation), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, generation, name), text);
      rmSync(join(folder, name), { force: true });
      symlinkSync(join("..data", name), join(folder, name));
    }
    symlinkSync(generation, join(folder, "..data_tmp"));
    renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
    return folder;
  };

  it("is the built-in catalog where nothing is mounted", () => {
    assert.deepEqual(catalogFrom(join(root, "nothing"))(), BUILT_IN_CATALOG);
  });

  it("reads a mounted ConfigMap and follows its changes", () => {
    const catalog = catalogFrom(mount("..1", entries));
    assert.equal(catalog().default, "16");
    mount("..2", { ...entries, default: "17" });
    assert.equal(catalog().default, "17");
  });

  it("keeps the last good catalog while the mounted one is broken", () => {
    const catalog = catalogFrom(mount("..1", entries));
    assert.equal(catalog().default, "16");
    mount("..2", { ...entries, default: "15" });
    assert.equal(catalog().default, "16");
    mount("..3", { ...entries, default: "17" });
    assert.equal(catalog().default, "17");
  });

  it("is no other one where the mounted one is broken from the start: databases would get the built-in images", () => {
    assert.throws(() => catalogFrom(mount("..1", { ...entries, default: "15" })), /the catalog is broken/u);
  });

  it("keeps the last catalog when the mount is emptied or goes away: databases would get the built-in images", () => {
    const folder = mount("..1", entries);
    const catalog = catalogFrom(folder);
    assert.equal(catalog().default, "16");
    for (const key of Object.keys(entries)) rmSync(join(folder, key));
    assert.equal(catalog().default, "16");
    rmSync(folder, { recursive: true });
    assert.equal(catalog().default, "16");
  });

  it("is found at CATALOG_DIR, or where the manifests mount it", () => {
    assert.equal(catalogFolder({ CATALOG_DIR: "/elsewhere" }), "/elsewhere");
    assert.equal(catalogFolder({}), "/etc/sampledb/catalog");
  });
});
