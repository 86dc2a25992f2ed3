import type { Document } from "yaml";
import type { Catalog } from "../../shared/api/catalog.ts";
import type { SampleDB } from "../../shared/api/sampledb.ts";
import { type Violation, violationText } from "../../shared/api/violation.ts";
import type { Finding, Place } from "./finding.ts";
import { judgeSampleDB } from "./judge-sampledb.ts";
import { type Manifest, isFields, manifestsIn } from "./manifests-in.ts";
import { offsetOf } from "./offset-of.ts";
import { parsedDocuments } from "./parsed-documents.ts";
import { recognised } from "./recognised.ts";
import { repeatedKeys } from "./repeated-keys.ts";

/** A SampleDB that was found. */
export type Found = {
  readonly file: string;
  /** Where its name stands. */
  readonly place: Place;
  readonly namespace: string | undefined;
  /** undefined where it has none, as under generateName. */
  readonly name: string | undefined;
  /** What the cluster would hold; undefined where it is refused. */
  readonly filled: SampleDB | undefined;
};

export type JudgedText = {
  readonly findings: readonly Finding[];
  readonly sampledbs: readonly Found[];
  /** Objects that are none of ours. */
  readonly others: number;
  /** Documents that cannot be read, of a text that does not even mention us: another tool's business, such as a chart's templates. */
  readonly unreadable: number;
};

const NOTHING: JudgedText = { findings: [], sampledbs: [], others: 0, unreadable: 0 };

type Source = {
  readonly file: string;
  readonly catalog: Catalog;
  readonly placeOf: (offset: number) => Place;
};

const TEMPLATED = "holds a template ({{ }}): render it first, as in `helm template . | sampledb-validate -`";

const isTemplated = ({ value }: Violation): boolean => typeof value === "string" && value.includes("{{");

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** What there is to tell of one object, each with its place. */
class Teller {
  readonly #source: Source;
  readonly #node: unknown;
  readonly #document: Document.Parsed;

  constructor(source: Source, node: unknown, document: Document.Parsed) {
    this.#source = source;
    this.#node = node;
    this.#document = document;
  }

  place(path: string): Place {
    return this.#source.placeOf(offsetOf(this.#node, path, this.#document));
  }

  violation(violation: Violation): Finding {
    const { path, value } = violation;
    const told = isTemplated(violation) ? { path, value, message: TEMPLATED } : violation;
    return { ...this.#at(path), severity: "violation", path, text: violationText(told) };
  }

  warning(text: string): Finding {
    const [path = ""] = /^[^:\s]+(?=: )/u.exec(text) ?? [];
    return { ...this.#at(path), severity: "warning", path, text };
  }

  repetitions(): readonly Finding[] {
    return repeatedKeys(this.#node).map(({ path, offset, firstOffset }) => {
      const way = path === "apiVersion" || path === "kind" ? "begin another object with ---" : "remove one";
      const message = `stands twice, in line ${this.#source.placeOf(firstOffset).line} already: ${way}`;
      const text = violationText({ path, value: undefined, message });
      const { line, column } = this.#source.placeOf(offset);
      return { file: this.#source.file, line, column, severity: "violation", path, text };
    });
  }

  #at(path: string): Place & { readonly file: string } {
    return { file: this.#source.file, ...this.place(path) };
  }
}

const judgeOurs = (
  source: Source,
  object: unknown,
  slips: readonly Violation[],
  teller: Teller,
): JudgedText => {
  const fields = isFields(object) ? object : {};
  const metadata = isFields(fields["metadata"]) ? fields["metadata"] : {};
  const { violations, warnings, filled } = judgeSampleDB(fields, source.catalog);
  const told = [
    ...slips.map((slip) => teller.violation(slip)),
    ...violations.map((violation) => teller.violation(violation)),
    ...teller.repetitions(),
  ];
  return {
    ...NOTHING,
    findings: [...told, ...warnings.map((warning) => teller.warning(warning))],
    sampledbs: [
      {
        file: source.file,
        place: teller.place("metadata.name"),
        namespace: textOf(metadata["namespace"]),
        name: textOf(metadata["name"]),
        filled: told.length === 0 ? filled : undefined,
      },
    ],
  };
};

const judgeManifest = (source: Source, { object, node }: Manifest, document: Document.Parsed): JudgedText => {
  const found = recognised(object);
  if (found.is === "other") return { ...NOTHING, others: 1 };
  const teller = new Teller(source, node, document);
  if (found.is === "SampleDB") return judgeOurs(source, object, found.violations, teller);
  return { ...NOTHING, findings: found.violations.map((violation) => teller.violation(violation)) };
};

const joined = (parts: readonly JudgedText[]): JudgedText => ({
  findings: parts.flatMap(({ findings }) => findings),
  sampledbs: parts.flatMap(({ sampledbs }) => sampledbs),
  others: parts.reduce((sum, { others }) => sum + others, 0),
  unreadable: parts.reduce((sum, { unreadable }) => sum + unreadable, 0),
});

/** Judges every SampleDB of a text. `file` is only a name. */
export const judgeText = (file: string, text: string, catalog: Catalog): JudgedText => {
  const { documents, placeOf } = parsedDocuments(text);
  const source = { file, catalog, placeOf };
  const mentionsUs = /sampledb/iu.test(text);
  return joined(
    documents.flatMap((parsed) => {
      if (!("fault" in parsed)) {
        const { document, value } = parsed;
        return manifestsIn(value, document.contents, document).map((manifest) =>
          judgeManifest(source, manifest, document),
        );
      }
      if (!mentionsUs) return [{ ...NOTHING, unreadable: 1 }];
      const place = placeOf(parsed.offset);
      const finding: Finding = { file, ...place, severity: "violation", path: undefined, text: parsed.fault };
      return [{ ...NOTHING, findings: [finding] }];
    }),
  );
};
