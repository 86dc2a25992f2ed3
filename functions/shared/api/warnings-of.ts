import { completeResources } from "./complete-resources.ts";
import { CONDITION } from "./conditions.ts";
import type { SampleDB } from "./sampledb.ts";

const wipe = (after: SampleDB, before: SampleDB | undefined): readonly string[] =>
  after.spec?.deletion?.policy === "Wipe" && before?.spec?.deletion?.policy !== "Wipe"
    ? ["spec.deletion.policy: Wipe deletes the data for good together with this SampleDB"]
    : [];

const movingTag = (after: SampleDB, before: SampleDB | undefined): readonly string[] => {
  const image = after.spec?.image;
  return image !== undefined && image !== before?.spec?.image && /:\d+$/u.test(image)
    ? [
        `spec.image: ${image} moves with every release; name a minor version or a digest to decide yourself when it changes`,
      ]
    : [];
};

const scripts = (sampledb: SampleDB): string => JSON.stringify(sampledb.spec?.init ?? []);

const hasRunInit = (sampledb: SampleDB): boolean =>
  (sampledb.status?.conditions ?? []).some(
    ({ type, status }) => type === CONDITION.initialized && status === "True",
  );

const lateInit = (after: SampleDB, before: SampleDB | undefined): readonly string[] =>
  before !== undefined && hasRunInit(before) && scripts(after) !== scripts(before)
    ? ["spec.init: the init scripts have run already; this change has no effect"]
    : [];

/** What is allowed but probably not meant, for kubectl to show. On an update only what the update brings. */
export const warningsOf = (after: SampleDB, before: SampleDB | undefined): readonly string[] =>
  [wipe, movingTag, lateInit].flatMap((warning) => warning(after, before));

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
      .filter(([name, amount]) => String(amount) !== fresh[kind][name])
      .map(
        ([name, amount]) => `spec.resources.${kind}.${name}: stays ${String(amount)}; set it to change it`,
      ),
  );
};
