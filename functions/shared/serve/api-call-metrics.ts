import type { ApiCallNote } from "../kube/api-call-note.ts";
import type { Metrics } from "./metrics.ts";
import { processName } from "./process-name.ts";

/** Counts a process's calls to the API server. */
export const apiCallMetrics = (metrics: Metrics): ((note: ApiCallNote) => void) => {
  const calls = metrics.counter("sampledb_api_calls_total", "Calls to the API server.", [
    "function",
    "method",
    "resource",
    "code",
  ]);
  const duration = metrics.seconds(
    "sampledb_api_call_duration_seconds",
    "Time until the API server answered.",
    ["function", "method"],
  );
  const name = processName();
  return ({ method, resource, code, seconds }) => {
    calls.inc({ function: name, method, resource, code });
    duration.observe({ function: name, method }, seconds);
  };
};
