import { BUILT_IN_CATALOG } from "../../shared/api/catalog.ts";
import type { Catalog } from "../../shared/api/catalog.ts";
import { type Finding, oneLine } from "./finding.ts";
import { type GivenFile, STDIN, givenFiles } from "./given-files.ts";
import { type JudgedText, judgeText } from "./judge-text.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { readCatalogAt } from "./read-catalog-at.ts";
import { readText, unusable } from "./read-text.ts";
import { repeatedSampleDBs } from "./repeated-sampledbs.ts";
import { summary, writtenFindings, writtenObjects } from "./written.ts";

/** What a run of the command comes to. */
export type Outcome = { readonly code: 0 | 1 | 2; readonly stdout: string; readonly stderr: string };

type Judged = { readonly file: GivenFile; readonly judged: JudgedText | undefined };

const complaint = (text: string): string => oneLine(`sampledb-validate: ${text}`);

const judgeFile = async (
  file: GivenFile,
  catalog: Catalog,
  stdin: AsyncIterable<Buffer>,
): Promise<Judged> => {
  if (file.fault !== undefined) return { file, judged: undefined };
  const isStdin = file.name === STDIN;
  let text = "";
  try {
    text = await readText(isStdin ? stdin : file.name);
  } catch (cause) {
    return { file: { ...file, fault: unusable(cause).message }, judged: undefined };
  }
  return { file, judged: judgeText(isStdin ? "<stdin>" : file.name, text, catalog) };
};

// One after the other: texts are large, and their order is that of the arguments.
const judgeFiles = async (
  files: readonly GivenFile[],
  catalog: Catalog,
  stdin: AsyncIterable<Buffer>,
): Promise<readonly Judged[]> => {
  const all: Judged[] = [];
  for (const file of files) all.push(await judgeFile(file, catalog, stdin));
  return all;
};

/** Everything that is told, file by file, in the order in which it stands there. */
const inOrder = (judged: readonly JudgedText[]): readonly Finding[] => {
  const repeated = repeatedSampleDBs(judged.flatMap(({ sampledbs }) => sampledbs));
  const byFile = new Map<string, Finding[]>();
  for (const finding of [...judged.flatMap(({ findings }) => findings), ...repeated]) {
    const others = byFile.get(finding.file);
    if (others === undefined) byFile.set(finding.file, [finding]);
    else others.push(finding);
  }
  return [...byFile.values()].flatMap((findings) =>
    findings.toSorted((a, b) => a.line - b.line || a.column - b.column),
  );
};

const codeOf = (
  findings: readonly Finding[],
  complaints: readonly string[],
  isStrict: boolean,
): Outcome["code"] => {
  if (complaints.length > 0) return 2;
  return findings.some(({ severity }) => isStrict || severity === "violation") ? 1 : 0;
};

const outcomeOf = (all: readonly Judged[], options: Options): Outcome => {
  const judged = all.flatMap((each) => each.judged ?? []);
  const findings = inOrder(judged);
  const sampledbs = judged.flatMap((each) => each.sampledbs);
  const violations = findings.filter(({ severity }) => severity === "violation").length;
  const isNone = sampledbs.length === 0 && findings.length === 0 && !options.mayBeNone;
  const faults = all
    .filter(({ file }) => file.fault !== undefined)
    .map(({ file }) => `${file.name} ${file.fault}`);
  const complaints = [...faults, ...(isNone && faults.length === 0 ? ["no SampleDB was found"] : [])];
  const written = writtenFindings(findings, options.output);
  const objects = sampledbs.flatMap(({ filled }) => filled ?? []);
  const closing = summary({
    files: judged.length,
    sampledbs: sampledbs.length,
    violations,
    warnings: findings.length - violations,
    others: judged.reduce((sum, { others }) => sum + others, 0),
    unreadable: judged.reduce((sum, { unreadable }) => sum + unreadable, 0),
  });
  return {
    code: codeOf(findings, complaints, options.isStrict),
    stdout: options.isPrinted ? writtenObjects(objects) : written,
    stderr: [
      ...(options.isPrinted ? [written] : []),
      ...complaints.map((text) => `${complaint(text)}\n`),
      closing,
    ].join(""),
  };
};

const judge = async (options: Options, stdin: AsyncIterable<Buffer>): Promise<Outcome> => {
  let catalog = BUILT_IN_CATALOG;
  try {
    if (options.catalog !== undefined) catalog = await readCatalogAt(options.catalog);
  } catch (cause) {
    const why = `--catalog ${options.catalog ?? ""}: ${unusable(cause).message}`;
    return { code: 2, stdout: "", stderr: `${complaint(why)}\n` };
  }
  return outcomeOf(await judgeFiles(await givenFiles(options.paths), catalog, stdin), options);
};

/** Runs the command: judges the SampleDBs in the files that `args` name. Reads files and `stdin`, and writes nothing. */
export const validateFiles = async (
  args: readonly string[],
  stdin: AsyncIterable<Buffer>,
  version: string,
): Promise<Outcome> => {
  const asked = readOptions(args);
  if (asked.do === "judge") return judge(asked.options, stdin);
  if (asked.do !== "complain")
    return { code: 0, stdout: asked.do === "help" ? usage : `${version}\n`, stderr: "" };
  return { code: 2, stdout: "", stderr: `${complaint(asked.message)}; see --help\n` };
};
