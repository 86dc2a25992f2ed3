import { stringify } from "yaml";
import type { SampleDB } from "../../shared/api/sampledb.ts";
import { type Finding, oneLine } from "./finding.ts";
import type { Options } from "./options.ts";

const plain = ({ file, line, column, severity, text }: Finding): string =>
  oneLine(`${file}:${line}:${column}: ${severity === "warning" ? "warning: " : ""}${text}`);

const escaped = (text: string, others: RegExp): string =>
  text.replaceAll(
    others,
    (character) => `%${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0").toUpperCase()}`,
  );

/** A workflow command of GitHub Actions. */
const annotation = ({ file, line, column, severity, text }: Finding): string => {
  const command = severity === "warning" ? "warning" : "error";
  const name = escaped(file, /[%\r\n:,]/gu);
  return `::${command} file=${name},line=${line},col=${column}::${escaped(oneLine(text), /[%\r\n]/gu)}`;
};

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join("");

/** All findings, in the form that was asked for. */
export const writtenFindings = (findings: readonly Finding[], output: Options["output"]): string => {
  if (output === "json") return `${JSON.stringify({ findings }, undefined, 2)}\n`;
  return lines(findings.map(output === "github" ? annotation : plain));
};

/** The SampleDBs as YAML documents. */
export const writtenObjects = (sampledbs: readonly SampleDB[]): string =>
  sampledbs.map((sampledb) => stringify(sampledb, { version: "1.1", lineWidth: 0 })).join("---\n");

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** One sentence about what was looked at. */
export const summary = (seen: {
  readonly files: number;
  readonly sampledbs: number;
  readonly violations: number;
  readonly warnings: number;
  readonly others: number;
  readonly unreadable: number;
}): string => {
  const { files, sampledbs, violations, warnings, others, unreadable } = seen;
  const passedOver = [
    ...(others > 0 ? [counted(others, "other object")] : []),
    ...(unreadable > 0
      ? [counted(unreadable, "document that is no YAML", "documents that are no YAML")]
      : []),
  ];
  return `${counted(sampledbs, "SampleDB")} in ${counted(files, "file")}: ${counted(violations, "violation")}, ${counted(warnings, "warning")}${
    passedOver.length === 0 ? "" : `; ${passedOver.join(" and ")} passed over`
  }\n`;
};
