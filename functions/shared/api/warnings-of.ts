import { completeResources } from "./complete-resources.ts";
import { CONDITION } from "./conditions.ts";
import { ROOMY_MEMORY } from "./limits.ts";
import { parseQuantity } from "./quantity.ts";
import type { Quantity, SampleDB } from "./sampledb.ts";
import { SQL_WORDS } from "./sql-words.ts";
import { violationText } from "./violation.ts";
import type { Violation } from "./violation.ts";

/** Says what is allowed in one respect but probably not meant; of an update, only what the update brings. */
type Warner = (after: SampleDB, before: SampleDB | undefined) => readonly Violation[];

const wipe: Warner = (after, before) => {
  const value = after.spec?.deletion?.policy;
  if (value !== "Wipe" || before?.spec?.deletion?.policy === "Wipe") return [];
  const message =
    "deletes the data for good together with this SampleDB; Retain keeps it for a later one of that name";
  return [{ path: "spec.deletion.policy", value, message }];
};

/** Tags that a registry moves on: a major version, with the name of a base image or without, a base image, a branch. */
const MOVING =
  /^(?:(?:pg)?\d+(?:-(?:alpine|slim|bullseye|bookworm|trixie))?|alpine|slim|bullseye|bookworm|trixie|stable|edge|main|master|develop|dev|nightly|beta)$/u;

const movingTag: Warner = (after, before) => {
  const value = after.spec?.image;
  // A digest says which image, whatever tag stands beside it.
  if (value === undefined || value === before?.spec?.image || value.includes("@")) return [];
  if (!MOVING.test(/:([^/:]+)$/u.exec(value)?.[1] ?? "")) return [];
  const message =
    "this tag moves with every release, and a restart then changes what runs; name a minor version such as 17.5, or a digest";
  return [{ path: "spec.image", value, message }];
};

const memoryLimit = (sampledb: SampleDB | undefined): Quantity | undefined =>
  sampledb?.spec?.resources?.limits?.["memory"];

const tightMemory: Warner = (after, before) => {
  const value = memoryLimit(after);
  const bytes = parseQuantity(String(value));
  if (bytes === undefined || bytes >= ROOMY_MEMORY.bytes || value === memoryLimit(before)) return [];
  const message = `PostgreSQL's shared buffers alone grow to 128 MiB, and it is killed beyond the limit; ${ROOMY_MEMORY.text} leaves room`;
  return [{ path: "spec.resources.limits.memory", value, message }];
};

const pausedAtBirth: Warner = (after, before) => {
  if (before !== undefined || after.spec?.paused !== true) return [];
  const message = "nothing is created for this SampleDB until this is false";
  return [{ path: "spec.paused", value: true, message }];
};

const sqlWords: Warner = (after, before) =>
  (["name", "owner"] as const).flatMap((field) => {
    const value = after.spec?.database?.[field];
    if (before !== undefined || value === undefined || !SQL_WORDS.has(value)) return [];
    const message = "is a word of SQL, which has to stand in double quotes in every statement that names it";
    return [{ path: `spec.database.${field}`, value, message }];
  });

const scripts = (sampledb: SampleDB): string => JSON.stringify(sampledb.spec?.init ?? []);

const hasRunInit = (sampledb: SampleDB): boolean =>
  (sampledb.status?.conditions ?? []).some(
    ({ type, status }) => type === CONDITION.initialized && status === "True",
  );

const lateInit: Warner = (after, before) =>
  before !== undefined && hasRunInit(before) && scripts(after) !== scripts(before)
    ? [
        {
          path: "spec.init",
          value: undefined,
          message:
            "the init scripts have run already, so this change has no effect; run what is new as the owner role yourself",
        },
      ]
    : [];

const WARNERS: readonly Warner[] = [wipe, movingTag, tightMemory, pausedAtBirth, sqlWords, lateInit];

/** What is allowed but probably not meant, in the form of violations, for kubectl to show. On an update only what the update brings. */
export const warningsOf = (after: SampleDB, before: SampleDB | undefined): readonly string[] =>
  WARNERS.flatMap((warner) => warner(after, before)).map(violationText);

/**
 * Says of resources that an update left out that they stay: whoever removed them expected the default. `sent` is the update,
 * `filled` what was made of it.
 */
export const keptResources = (
  sent: SampleDB,
  filled: SampleDB,
  before: SampleDB | undefined,
): readonly string[] => {
  if (before === undefined) return [];
  const fresh = completeResources(sent.spec?.resources);
  return (["requests", "limits"] as const).flatMap((kind) =>
    Object.entries(filled.spec?.resources?.[kind] ?? {})
      .filter(([name]) => sent.spec?.resources?.[kind]?.[name] === undefined)
      .filter(([name, value]) => String(value) !== fresh[kind][name])
      .map(([name, value]) =>
        violationText({
          path: `spec.resources.${kind}.${name}`,
          value,
          message: "stays as it was, though it was left out; set it to change it",
        }),
      ),
  );
};
