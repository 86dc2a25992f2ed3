import assert from "node:assert/strict";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parse } from "yaml";
import { readOptions } from "../../../functions/validate/offline/options.ts";
import { makeCheckout, output, run } from "./command.ts";

const INVALID = "apiVersion: sampledb.dev/v1\nkind: SampleDB\nmetadata:\n  name: a.b\n";

describe("the package", () => {
  it("holds the command and nothing that has to be installed with it, and runs where it is installed", async () => {
    await using checkout = await makeCheckout();
    // What pre-commit takes for the name of the package.
    const packed = (await output(["npm", "pack", "--loglevel=notice"], checkout.folder)).trim();
    assert.match(packed, /^sampledb-[\d.]+\.tgz$/u);
    const listed = await output(["tar", "-tzf", packed], checkout.folder);
    assert.deepEqual(listed.trim().split("\n").toSorted(), [
      "package/LICENSE",
      "package/README.md",
      "package/dist/bin/sampledb-validate.mjs",
      "package/package.json",
    ]);

    const user = join(checkout.folder, "user");
    await mkdir(user);
    await writeFile(join(user, "package.json"), "{}");
    await writeFile(join(user, "orders.yaml"), INVALID);
    await output(["npm", "install", "--offline", "--ignore-scripts", `../${packed}`], user);
    const installed = (await readdir(join(user, "node_modules"))).filter((name) => !name.startsWith("."));
    assert.deepEqual(installed, ["sampledb"]);
    const { code, stdout } = await run(["npx", "--offline", "sampledb-validate", "orders.yaml"], {
      cwd: user,
    });
    assert.equal(code, 1);
    assert.match(stdout, /^orders\.yaml:4:9: metadata\.name: "a\.b": must/u);

    const { version }: { version: string } = JSON.parse(
      await readFile(join(checkout.folder, "package.json"), "utf8"),
    );
    const told = await output(["node_modules/.bin/sampledb-validate", "--version"], user);
    assert.equal(told, `${version}\n`);
  });

  it("has a hook for pre-commit that names the command, with options that it knows", async () => {
    const file = new URL("../../../.pre-commit-hooks.yaml", import.meta.url);
    const hooks: readonly { readonly entry: string }[] = parse(await readFile(file, "utf8"));
    for (const { entry } of hooks) {
      const [program, ...args] = entry.split(" ");
      assert.equal(program, "sampledb-validate");
      assert.equal(readOptions([...args, "orders.yaml"]).do, "judge");
    }
    assert.equal(hooks.length, 1);
  });
});
