import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILT_IN_CATALOG as catalog } from "../../../../functions/shared/api/catalog.ts";
import { type Finding, oneLine } from "../../../../functions/validate/offline/finding.ts";
import { judgeText } from "../../../../functions/validate/offline/judge-text.ts";
import { repeatedSampleDBs } from "../../../../functions/validate/offline/repeated-sampledbs.ts";
import { summary, writtenFindings } from "../../../../functions/validate/offline/written.ts";

const finding: Finding = {
  file: "a, b: 100%.yaml",
  line: 3,
  column: 7,
  severity: "warning",
  path: "spec.x",
  text: "spec.x: 50%\n is\u001b[31m odd",
};

const sampledbsIn = (file: string, ...metadata: readonly string[]) =>
  judgeText(
    file,
    metadata
      .map((each) => `apiVersion: sampledb.dev/v1\nkind: SampleDB\nmetadata: {${each}}\n`)
      .join("---\n"),
    catalog,
  ).sampledbs;

const told = (sampledbs: ReturnType<typeof sampledbsIn>) =>
  repeatedSampleDBs(sampledbs).map(({ file, line, severity }) => `${file}:${line} ${severity}`);

describe("what sampledb-validate writes", () => {
  it("is one line a finding, without a character that a terminal obeys", () => {
    assert.equal(
      writtenFindings([finding], "text"),
      "a, b: 100%.yaml:3:7: warning: spec.x: 50%\\n is\\u001b[31m odd\n",
    );
    assert.equal(oneLine("a\tb\u2028c\u0085"), "a\\tb\\u2028c\\u0085");
  });

  it("is a command of GitHub Actions, escaped as these are", () => {
    assert.equal(
      writtenFindings([finding], "github"),
      "::warning file=a%2C b%3A 100%25.yaml,line=3,col=7::spec.x: 50%25\\n is\\u001b[31m odd\n",
    );
  });

  it("is JSON with every part apart", () => {
    assert.deepEqual(JSON.parse(writtenFindings([finding], "json")), { findings: [finding] });
    assert.deepEqual(JSON.parse(writtenFindings([], "json")), { findings: [] });
  });

  it("ends with what was looked at", () => {
    assert.equal(
      summary({ files: 2, sampledbs: 1, violations: 0, warnings: 1, others: 1, unreadable: 2 }),
      "1 SampleDB in 2 files: 0 violations, 1 warning; 1 other object and 2 documents that are no YAML passed over\n",
    );
  });
});

describe("two SampleDBs of one name", () => {
  it("are a violation in one file, with a namespace and without", () => {
    assert.deepEqual(told(sampledbsIn("a", "name: x", "name: y", "name: x")), ["a:11 violation"]);
    assert.deepEqual(told(sampledbsIn("a", "name: x, namespace: s", "name: x, namespace: s")), [
      "a:7 violation",
    ]);
  });

  it("are two in two namespaces, and under generateName", () => {
    assert.deepEqual(told(sampledbsIn("a", "name: x, namespace: s", "name: x, namespace: t", "name: x")), []);
    assert.deepEqual(told(sampledbsIn("a", "generateName: x-", "generateName: x-")), []);
  });

  it("are worth a warning in two files that name the namespace, and nothing where they do not", () => {
    const named = "name: x, namespace: s";
    assert.deepEqual(told([...sampledbsIn("a", named), ...sampledbsIn("b", named)]), ["b:3 warning"]);
    assert.deepEqual(told([...sampledbsIn("a", "name: x"), ...sampledbsIn("b", "name: x")]), []);
  });

  it("are told in their own file first", () => {
    const named = "name: x, namespace: s";
    assert.deepEqual(told([...sampledbsIn("a", named), ...sampledbsIn("b", named, named)]), [
      "b:3 warning",
      "b:7 violation",
    ]);
  });
});
