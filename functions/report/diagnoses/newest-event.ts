import type { ObjectMeta } from "../../shared/api/sampledb.ts";
import type { Event } from "../../shared/kube/kinds.ts";

const timeOf = ({ series, lastTimestamp, eventTime, metadata }: Event): string =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? "";

/** The newest Event about an object, where it has one of these reasons: an older one was overtaken by what came after. */
export const newestEvent = (
  events: readonly Event[],
  about: { readonly metadata?: ObjectMeta } | undefined,
  reasons: readonly string[],
): Event | undefined => {
  const uid = about?.metadata?.uid;
  const newest = events
    .filter(({ involvedObject }) => uid !== undefined && involvedObject.uid === uid)
    .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))[0];
  return newest !== undefined && reasons.includes(newest.reason ?? "") ? newest : undefined;
};
