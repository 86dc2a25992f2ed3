import type { CloudEvent } from "cloudevents";
import type { Metrics } from "./metrics.ts";
import { processName } from "./process-name.ts";

/** What came of one event that arrived at `path`. */
type EventNote = { readonly path: string; readonly outcome: string; readonly seconds: number };

/** Counts the events of a process. */
export type EventMetrics = {
  readonly arrived: (path: string, event: CloudEvent<unknown> | undefined) => void;
  readonly handled: (note: EventNote) => void;
};

// From a live watch to the longest that a queue in between may hold one.
const AGES = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 3600];
/** The sender writes the time, so it may be nonsense, which would spoil the sum. */
const OLDEST_S = 86_400;

const functionAt = (path: string): string => (path === "/" ? processName() : path.slice(1));

const ageOf = ({ time }: CloudEvent<unknown>): number | undefined => {
  const age = (Date.now() - Date.parse(time ?? "")) / 1000;
  return age >= 0 && age <= OLDEST_S ? age : undefined;
};

export const eventMetrics = (metrics: Metrics): EventMetrics => {
  const duration = metrics.seconds(
    "sampledb_event_duration_seconds",
    "Time to answer an event, by what came of it.",
    ["function", "outcome"],
  );
  const age = metrics.seconds(
    "sampledb_event_age_seconds",
    "From an event's time to its arrival.",
    ["function"],
    AGES,
  );
  return {
    arrived: (path, event) => {
      const seconds = event === undefined ? undefined : ageOf(event);
      if (seconds !== undefined) age.observe({ function: functionAt(path) }, seconds);
    },
    handled: ({ path, outcome, seconds }) => {
      duration.observe({ function: functionAt(path), outcome }, seconds);
    },
  };
};
