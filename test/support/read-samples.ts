import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

const FOLDER = join(import.meta.dirname, "../../manifests/samples");

/** A sample that must be refused. With two documents the first is what stands in the cluster, the second the refused change. */
export type InvalidSample = {
  readonly file: string;
  readonly path: string;
  /** The violations that admission answers, in any order. */
  readonly expected: readonly string[];
  /** What the API server does with it where no webhook is installed. */
  readonly withoutAdmission: "refused" | "created";
  /** YAML of each document. */
  readonly documents: readonly string[];
  readonly object: unknown;
  readonly oldObject: unknown;
};

const comments = (text: string, word: string): readonly string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`# ${word}: `))
    .map((line) => line.slice(word.length + 4));

const parse = (text: string): readonly unknown[] =>
  parseAllDocuments(text).map((document): unknown => document.toJS());

const readInvalid = (file: string): InvalidSample => {
  const path = join(FOLDER, "invalid", file);
  const text = readFileSync(path, "utf8");
  const objects = parse(text);
  const [without] = comments(text, "without admission");
  if (without !== "refused" && without !== "created")
    throw new Error(`${file}: "# without admission:" must be refused or created`);
  return {
    file,
    path,
    expected: comments(text, "expected"),
    withoutAdmission: without,
    documents: text.split(/^---$/mu),
    object: objects.at(-1),
    oldObject: objects.length === 2 ? objects[0] : undefined,
  };
};

const yamlIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((file) => file.endsWith(".yaml"));

/** Every file of manifests/samples/invalid. */
export const invalidSamples = (): readonly InvalidSample[] =>
  yamlIn(join(FOLDER, "invalid")).map(readInvalid);

/** Every object of every file in manifests/samples itself, of any kind. */
export const validSamples = (): readonly {
  readonly file: string;
  readonly path: string;
  readonly objects: readonly unknown[];
}[] =>
  yamlIn(FOLDER).map((file) => {
    const path = join(FOLDER, file);
    return { file, path, objects: parse(readFileSync(path, "utf8")) };
  });
