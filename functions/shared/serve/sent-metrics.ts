import type { Key } from "../api/key.ts";
import type { Metrics } from "./metrics.ts";
import { processName } from "./process-name.ts";
import type { Delivery } from "./delivery-of.ts";
import type { Sink } from "./sink.ts";

/** Counts the deliveries of a process: gives sinks that do so. */
export const sentMetrics = (metrics: Metrics): ((sink: Sink) => Sink) => {
  const sent = metrics.counter("sampledb_sent_events_total", "Events that were sent, by what came of it.", [
    "function",
    "outcome",
  ]);
  const duration = metrics.seconds(
    "sampledb_sent_event_duration_seconds",
    "Time until a sent event was answered.",
    ["function"],
  );
  const name = processName();
  return ({ deliver, close }) => ({
    deliver: async (key: Key): Promise<Delivery> => {
      const start = performance.now();
      const outcome = await deliver(key);
      sent.inc({ function: name, outcome });
      duration.observe({ function: name }, (performance.now() - start) / 1000);
      return outcome;
    },
    close,
  });
};
