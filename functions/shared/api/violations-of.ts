import type { Catalog } from "./catalog.ts";
import { completeSpec } from "./complete-spec.ts";
import { databaseNames } from "./rules/database-names.ts";
import { databaseUnchanged } from "./rules/database-unchanged.ts";
import { imageReference } from "./rules/image-reference.ts";
import { imageVersion } from "./rules/image-version.ts";
import { initOwnObjects } from "./rules/init-own-objects.ts";
import { initReferences } from "./rules/init-references.ts";
import { name } from "./rules/name.ts";
import { requestWithinLimit } from "./rules/request-within-limit.ts";
import { resourceAmounts } from "./rules/resource-amounts.ts";
import type { Judged, Rule } from "./rules/rule.ts";
import { storageClass } from "./rules/storage-class.ts";
import { storageSize } from "./rules/storage-size.ts";
import { storageKept } from "./rules/storage-kept.ts";
import { versionOffered } from "./rules/version-offered.ts";
import { versionUnchanged } from "./rules/version-unchanged.ts";
import type { SampleDB } from "./sampledb.ts";
import { readStructure } from "./structure.ts";
import type { Violation } from "./violation.ts";

/** Every rule, by its name. The order is that in which violations are told. */
export const RULES = {
  name,
  versionOffered,
  versionUnchanged,
  imageReference,
  imageVersion,
  storageSize,
  storageClass,
  storageKept,
  databaseNames,
  databaseUnchanged,
  initReferences,
  initOwnObjects,
  resourceAmounts,
  requestWithinLimit,
} as const satisfies Readonly<Record<string, Rule>>;

const judge = (object: unknown, before: SampleDB | undefined, catalog: Catalog): readonly Violation[] => {
  const { sampledb, violations } = readStructure(object);
  const judged: Judged = { sampledb, spec: completeSpec(sampledb, catalog), before, catalog };
  const broken = Object.values(RULES).flatMap((rule) => rule(judged));
  // A value that has not even the right shape was left out, so what rules miss there was reported already.
  const isReported = (path: string): boolean =>
    violations.some((known) => path === known.path || path.startsWith(`${known.path}.`));
  return [...violations, ...broken.filter(({ path }) => !isReported(path))];
};

const isSameValue = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    // Nested so deeply that it cannot be written: told anew rather than left out.
    return false;
  }
};

/** What is wrong with an object, and on an update what of it is no news. */
export type Judgement = {
  /** Why to refuse it. */
  readonly violations: readonly Violation[];
  /** What was wrong before in just the same way. */
  readonly standing: readonly Violation[];
};

/** An object that is judged, or with `oldObject` a change of that one into it. */
export type Judgeable = { readonly object: unknown; readonly oldObject?: unknown; readonly catalog: Catalog };

const placeOf = ({ path, message }: Violation): string => `${path}: ${message}`;

/** Judges as `violationsOf` does, and keeps apart what stood before. */
export const judgementOf = ({ object, oldObject, catalog }: Judgeable): Judgement => {
  if (oldObject === undefined || oldObject === null)
    return { violations: judge(object, undefined, catalog), standing: [] };
  const stood = new Map(
    judge(oldObject, undefined, catalog).map((violation) => [placeOf(violation), violation.value]),
  );
  const hasStood = (violation: Violation): boolean =>
    stood.has(placeOf(violation)) && isSameValue(stood.get(placeOf(violation)), violation.value);
  const now = judge(object, readStructure(oldObject).sampledb, catalog);
  return {
    violations: now.filter((violation) => !hasStood(violation)),
    standing: now.filter((violation) => hasStood(violation)),
  };
};

/**
 * Everything that is wrong with a SampleDB: its shape and every rule. The same list refuses it at admission and stalls it where it got
 * past admission. `oldObject` is what an update replaces: then changes of what cannot change count too, and what was wrong
 * before in just the same way does not, so that an object made under older rules can still be edited.
 */
export const violationsOf = (judged: Judgeable): readonly Violation[] => judgementOf(judged).violations;
