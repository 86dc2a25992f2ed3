import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { parseAllDocuments, stringify } from "yaml";
import type { Finding } from "../../../functions/validate/offline/finding.ts";
import { type AdmissionProcess, startAdmission } from "../../support/admission-process.ts";
import { invalidSamples, validSamples } from "../../support/read-samples.ts";
import { VERDICTS } from "../../support/verdicts/index.ts";
import { type Command, buildCommand } from "./command.ts";
import { type Said, saidByAdmission } from "./said-by-admission.ts";

let command: Command;
let admission: AdmissionProcess;
let folder = "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "samples-"));
  command = await buildCommand();
  admission = await startAdmission("admission");
});
after(async () => {
  await admission[Symbol.asyncDispose]();
  await command[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const findingsOf = async (...args: readonly string[]): Promise<readonly Finding[]> => {
  const { stdout } = await command.validate(["--output", "json", ...args]);
  const { findings }: { readonly findings: readonly Finding[] } = JSON.parse(stdout);
  return findings;
};

describe("sampledb-validate on the samples", () => {
  it("finds nothing wrong with those that are right", async () => {
    const { code, stdout, stderr } = await command.validate(validSamples().map(({ path }) => path));
    assert.equal(code, 0, stdout);
    assert.match(stderr, /: 0 violations, /u);
    for (const line of stdout.split("\n").slice(0, -1)) assert.match(line, /:\d+:\d+: warning: /u);
  });

  it("says of those that are wrong what they expect, and where it stands", async () => {
    const created = invalidSamples().filter(({ oldObject }) => oldObject === undefined);
    assert.ok(created.length > 20);
    const findings = await findingsOf(...created.map(({ path }) => path));
    for (const { file, path, expected } of created) {
      const violations = findings.filter((one) => one.file === path && one.severity === "violation");
      assert.deepEqual(violations.map(({ text }) => text).toSorted(), expected.toSorted(), file);
      const lines = (await readFile(path, "utf8")).split("\n");
      for (const { path: field = "", line, column, text } of violations) {
        const source = lines[line - 1] ?? "";
        const rest = source.slice(column - 1);
        // The value as it is told or without quotes, or the field, or what it is missing in; an item of a list after its dash.
        const [value = ""] = /(?<=^[^:]+: )(?:"[^"]*"|[^":]*)/u.exec(text) ?? [];
        const names = field.split(/[.[\]]+/u).filter((name) => name !== "" && !/^\d+$/u.test(name));
        const words = [value, value.replaceAll('"', ""), ...names].filter((word) => word !== "");
        const isItem = field.endsWith("]") && /^ *- $/u.test(source.slice(0, column - 1));
        const isThere = isItem || words.some((word) => rest.startsWith(word));
        assert.ok(isThere, `${file}:${line}:${column} is at ${rest}, not at ${text}`);
      }
    }
  });

  it("says of a change only that its SampleDB stands there twice", async () => {
    const changed = invalidSamples().filter(({ oldObject }) => oldObject !== undefined);
    const findings = await findingsOf(...changed.map(({ path }) => path));
    for (const { file, path } of changed) {
      const violations = findings.filter((one) => one.file === path && one.severity === "violation");
      assert.equal(violations.length, 1, file);
      assert.match(violations[0]?.text ?? "", /^metadata\.name: "orders": this SampleDB stands in line/u);
    }
  });

  it("has one line for each in the form file:line:column: path: value: message", async () => {
    const path = invalidSamples().find(({ file }) => file === "several-at-once.yaml")?.path ?? "";
    const { code, stdout } = await command.validate([path]);
    assert.equal(code, 1);
    const lines = stdout.split("\n").slice(0, -1);
    assert.equal(lines.length, 5);
    for (const line of lines) assert.match(line, /^\S+several-at-once\.yaml:\d+:\d+: [\w.]+: ".+": must/u);
  });
});

// A message may hold "; " itself, so sentences are compared as they are joined.
const joined = ({ violations, warnings }: Said): string =>
  [violations.join("; "), ...warnings.toSorted()].join("\n");

describe("sampledb-validate and admission", () => {
  it("say the same of every sample and of every object in the table of verdicts", async () => {
    const samples = [...validSamples(), ...invalidSamples()].flatMap(({ path }) => path);
    const documents = await Promise.all(samples.map((path) => readFile(path, "utf8")));
    const objects = [
      ...documents.flatMap((text) => parseAllDocuments(text).map((document): unknown => document.toJS())),
      ...VERDICTS.map(({ object }) => object),
    ].filter((object) => JSON.stringify(object).includes('"kind":"SampleDB"'));
    assert.ok(objects.length > 100);
    const files = objects.map((_, index) => join(folder, `${index}.yaml`));
    await Promise.all(
      files.map((file, index) => writeFile(file, stringify(objects[index], { version: "1.1" }))),
    );
    const findings = await findingsOf(folder);
    for (const [index, file] of files.entries()) {
      const found = findings.filter((one) => one.file === file && !one.text.includes("this SampleDB stands"));
      const texts = (severity: Finding["severity"]): readonly string[] =>
        found.filter((one) => one.severity === severity).map(({ text }) => text);
      const byAdmission = await saidByAdmission(admission.port, objects[index]);
      const label = `${basename(file)}: ${JSON.stringify(objects[index])}`;
      const own = { violations: texts("violation"), warnings: texts("warning") };
      // Violations stand in the order of the file there, in that of the rules here.
      assert.deepEqual(
        joined({ ...own, violations: own.violations.toSorted() })
          .split("; ")
          .toSorted(),
        joined({ ...byAdmission, violations: byAdmission.violations })
          .split("; ")
          .toSorted(),
        label,
      );
    }
  });
});
