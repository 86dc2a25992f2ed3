import type { Catalog } from "../catalog.ts";
import type { CompleteSpec, SampleDB } from "../sampledb.ts";
import type { Violation } from "../violation.ts";

/** What a rule judges. Everything in it has the schema's shape; what had not is missing and was reported already. */
export type Judged = {
  readonly sampledb: SampleDB;
  /** Its spec with every default filled in. */
  readonly spec: CompleteSpec;
  /** What it replaces, on an update. */
  readonly before: SampleDB | undefined;
  readonly catalog: Catalog;
};

/** Says what is wrong with a SampleDB in one respect; an empty list where nothing is. */
export type Rule = (judged: Judged) => readonly Violation[];
