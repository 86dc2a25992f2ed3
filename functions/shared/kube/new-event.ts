import type { Action } from "./action.ts";
import type { Event } from "./kinds.ts";

/** Longest message that the API server takes in an Event. */
const LIMIT = 1024;

type News = {
  /** Unique among all Events of the namespace; told already where there is one of that name. */
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly about: NonNullable<Event["involvedObject"]>;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly now: Date;
};

/** The function `by` tells something of an object. */
export const newEvent = (by: string, { name, labels, about, type, reason, message, now }: News): Action => {
  const time = now.toISOString().replace(/\.\d+Z$/u, "Z");
  const { namespace = "" } = about;
  const reporter = `sampledb-${by}`;
  return {
    do: "create",
    object: {
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace, name, ...(labels === undefined ? {} : { labels }) },
      involvedObject: about,
      type,
      reason,
      message: message.slice(0, LIMIT),
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: reporter },
      reportingComponent: reporter,
      reportingInstance: reporter,
    },
  };
};
