import { isMap, isSeq, parseAllDocuments } from "yaml";
import type { CollectionTag, Document, ScalarTag } from "yaml";
import type { Place } from "./finding.ts";

type Tag = CollectionTag | ScalarTag;

/** Not so in Kubernetes: `1:30` is text there, and so is a date. */
const isForeign = ({ tag, format }: Tag): boolean =>
  format === "TIME" || tag === "tag:yaml.org,2002:timestamp";

/** One document of a file, as kubectl reads it (YAML 1.1: `yes` is true), or why it cannot be read. */
type ParsedDocument =
  | { readonly document: Document.Parsed; readonly value: unknown }
  | { readonly fault: string; readonly offset: number };

export type ParsedText = {
  readonly documents: readonly ParsedDocument[];
  readonly placeOf: (offset: number) => Place;
};

// The parser calls itself for each level.
const TOO_DEEP = "is nested too deeply to be read";

const TEMPLATE =
  "is a template, not YAML yet: render it first, as in `helm template . | sampledb-validate -`";

/** `{{ x }}` without quotes is a map within a map, as YAML goes. */
const holdsTemplate = (node: unknown): boolean => {
  if (isSeq(node)) return node.items.some(holdsTemplate);
  if (!isMap(node)) return false;
  return node.items.some(
    ({ key, value }) => (node.flow === true && isMap(key)) || holdsTemplate(key) || holdsTemplate(value),
  );
};

/** Where a template's first `{{` stands in the document that begins at `start`. */
const templateIn = (text: string, start: number, broken: number): number => {
  const next = text.indexOf("\n---", broken);
  return text.slice(0, next < 0 ? text.length : next).indexOf("{{", start);
};

const errorText = (message: string): string =>
  message.includes("call stack") ? TOO_DEEP : `is no valid YAML: ${message}`;

const parsedDocument = (document: Document.Parsed, text: string): ParsedDocument => {
  const [error] = document.errors;
  const [start] = document.range;
  if (error !== undefined || holdsTemplate(document.contents)) {
    const broken = error?.pos[0] ?? start;
    const template = templateIn(text, start, broken);
    if (template >= 0) return { fault: TEMPLATE, offset: template };
    if (error !== undefined) return { fault: errorText(error.message), offset: broken };
  }
  try {
    const value: unknown = document.toJS();
    return { document, value };
  } catch (cause) {
    // An alias of nothing, or so many aliases of aliases that they would take all memory.
    return { fault: errorText(cause instanceof Error ? cause.message : String(cause)), offset: start };
  }
};

/** Turns an offset of a text into a place. */
const placesIn = (text: string): ((offset: number) => Place) => {
  const starts = [0, ...Array.from(text.matchAll(/\n/gu), ({ index }) => index + 1)];
  return (offset) => {
    const at = Math.min(offset, text.length);
    // The last line that begins at or before it, by halves: there may be a million lines and as many findings.
    let [first, last] = [0, starts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((starts[middle] ?? 0) > at) last = middle - 1;
      else first = middle;
    }
    return { line: first + 1, column: at - (starts[first] ?? 0) + 1 };
  };
};

/** Reads a text of YAML documents (JSON is YAML too). Never throws. */
export const parsedDocuments = (text: string): ParsedText => {
  const placeOf = placesIn(text);
  try {
    const parsed = parseAllDocuments(text, {
      version: "1.1",
      customTags: (tags) => tags.filter((tag) => typeof tag === "string" || !isForeign(tag)),
      // Told with its path by `repeatedKeys`, and only where it is ours.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "error",
    });
    return { documents: [...parsed].map((document) => parsedDocument(document, text)), placeOf };
  } catch (cause) {
    const fault = errorText(cause instanceof Error ? cause.message : String(cause));
    return { documents: [{ fault, offset: 0 }], placeOf };
  }
};
