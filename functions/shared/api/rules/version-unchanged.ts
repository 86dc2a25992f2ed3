import type { SampleDB } from "../sampledb.ts";
import type { Rule } from "./rule.ts";

const faultOf = (after: string | undefined, before: string): string | undefined => {
  if (after === before) return undefined;
  if (after === undefined) return `cannot be removed: keep "${before}"`;
  const keep = `keep "${before}"`;
  return Number(after) < Number(before)
    ? `cannot be lowered: data of PostgreSQL ${before} cannot be read by an older version; ${keep}`
    : `cannot be changed after creation: a major upgrade of PostgreSQL ${before} is not available yet; ${keep}, or move the data into a new SampleDB with pg_dump`;
};

const earlierOf = (before: SampleDB, after: string | undefined): string | undefined =>
  // Never pinned (created while admission was away) and still not: it follows the data.
  before.spec?.version ?? (after === undefined ? undefined : before.status?.version);

/** The major version stays that of the data. */
export const versionUnchanged: Rule = ({ sampledb, before }) => {
  const value = sampledb.spec?.version;
  const earlier = before === undefined ? undefined : earlierOf(before, value);
  const message = earlier === undefined ? undefined : faultOf(value, earlier);
  return message === undefined ? [] : [{ path: "spec.version", value, message }];
};
