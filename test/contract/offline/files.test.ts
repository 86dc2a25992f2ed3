import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { type Command, buildCommand } from "./command.ts";
import { type Files, SOUND, TOLD, WIPE, WRONG, inFolder } from "./in-folder.ts";

let command: Command;
before(async () => {
  command = await buildCommand();
});
after(() => command[Symbol.asyncDispose]());

describe("sampledb-validate ends", () => {
  const cases: readonly {
    readonly title: string;
    readonly files?: Files;
    readonly args: readonly string[];
    readonly input?: string;
    readonly code: number;
    readonly stdout?: string;
    readonly stderr?: RegExp;
  }[] = [
    {
      title: "with 0 where all is well",
      files: { "a.yaml": SOUND },
      args: ["a.yaml"],
      code: 0,
      stdout: "",
      stderr: /^1 SampleDB in 1 file: 0 violations, 0 warnings\n$/u,
    },
    {
      title: "with 1 where something is wrong",
      files: { "a.yaml": WRONG },
      args: ["a.yaml"],
      code: 1,
      stdout: `a.yaml:${TOLD}\n`,
    },
    { title: "with 0 in spite of a warning", files: { "a.yaml": WIPE }, args: ["a.yaml"], code: 0 },
    {
      title: "with 1 for a warning where that is asked",
      files: { "a.yaml": WIPE },
      args: ["--strict", "a.yaml"],
      code: 1,
    },
    {
      title: "with 2 without a file",
      args: [],
      code: 2,
      stdout: "",
      stderr: /no file is named; see --help/u,
    },
    {
      title: "with 2 for an option that it does not know",
      args: ["--what", "a"],
      code: 2,
      stderr: /--what/u,
    },
    {
      title: "with 2 for a file that is not there",
      args: ["a.yaml"],
      code: 2,
      stderr: /: a\.yaml does not exist\n/u,
    },
    {
      title: "with 2 for a folder without manifests",
      files: { "a.txt": "" },
      args: ["."],
      code: 2,
      stderr: /: \. holds no \*\.yaml/u,
    },
    {
      title: "with 2 where no SampleDB is",
      files: { "a.yaml": "kind: Pod\n" },
      args: ["."],
      code: 2,
      stderr: /: no SampleDB was found\n.*; 1 other object passed over/u,
    },
    {
      title: "with 0 where none is and none has to be",
      files: { "a.yaml": "kind: Pod\n" },
      args: ["--allow-none", "."],
      code: 0,
    },
    {
      title: "with 2 for a binary file",
      files: { "a.yaml": Buffer.from([75, 0, 1]) },
      args: ["a.yaml"],
      code: 2,
      stderr: /: a\.yaml is binary, not text\n/u,
    },
    {
      title: "with 2 for UTF-16",
      files: { "a.yaml": Buffer.from(`\ufeff${SOUND}`, "utf16le") },
      args: ["a.yaml"],
      code: 2,
      stderr: /: a\.yaml is UTF-16: save it as UTF-8\n/u,
    },
    {
      title: "with 2 for another encoding",
      files: { "a.yaml": Buffer.from("# \u00e9", "latin1") },
      args: ["a.yaml"],
      code: 2,
      stderr: /: a\.yaml is not UTF-8 text\n/u,
    },
    {
      title: "with 2 for a file beyond all bounds",
      files: { "a.yaml": Buffer.alloc(17 * 2 ** 20, "#") },
      args: ["a.yaml"],
      code: 2,
      stderr: /: a\.yaml is larger than 16 MiB\n/u,
    },
    {
      title: "with 2 where one of several files cannot be read, and judges the others",
      files: { "a.yaml": WRONG },
      args: ["b.yaml", "a.yaml"],
      code: 2,
      stdout: `a.yaml:${TOLD}\n`,
    },
    {
      title: "with 1 for what standard input holds",
      args: ["-"],
      input: `${SOUND}---\n${WRONG.replace("orders", "o2")}`,
      code: 1,
      stdout: '<stdin>:11:12: spec.version: 17: must be a string: write it in quotes, "17"\n',
    },
    {
      title: "with 1 for lines that end as on Windows, after a byte order mark",
      files: { "a.yaml": `\ufeff${WRONG.replaceAll("\n", "\r\n")}` },
      args: ["a.yaml"],
      code: 1,
      stdout: `a.yaml:${TOLD}\n`,
    },
    { title: "with 0 and its usage where that is asked", args: ["--help"], code: 0, stderr: /^$/u },
  ];
  for (const { title, files = {}, args, input, code, stdout, stderr = /./u } of cases) {
    it(title, async () => {
      const ended = await inFolder(command, files, args, input);
      assert.equal(ended.code, code, JSON.stringify(ended));
      assert.match(ended.stderr, stderr);
      if (stdout !== undefined) assert.equal(ended.stdout, stdout);
    });
  }

  it("with its verdict where nobody reads to the end, and says nothing of that", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => WRONG.replace("orders", `orders-${index}`));
    const child = spawn(process.execPath, [command.file, "-"], { stdio: "pipe" });
    const closed = once(child, "close");
    child.stdout.destroy();
    child.stdin.end(many.join("---\n"));
    const said = await text(child.stderr);
    await closed;
    assert.equal(child.exitCode, 1);
    assert.match(said, /^3000 SampleDBs in 1 file: 3000 violations, 0 warnings\n$/u);
  });
});
