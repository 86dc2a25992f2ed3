/** Counts reviews, in Prometheus' text format. By hand: the usual library alone is larger than all of admission. */
export type AdmissionMetrics = {
  /** Counts one review of `fn` and its duration in seconds. */
  readonly count: (fn: string, outcome: Outcome, seconds: number) => void;
  readonly text: () => string;
};

export type Outcome = "allowed" | "denied" | "malformed" | "failed";

type Counts = Map<string, number>;

const add = (counts: Counts, labels: string, amount: number): void => {
  counts.set(labels, (counts.get(labels) ?? 0) + amount);
};

const lines = (name: string, counts: Counts): readonly string[] =>
  [...counts].map(([labels, value]) => `${name}{${labels}} ${value}`);

export const makeAdmissionMetrics = (): AdmissionMetrics => {
  const reviews: Counts = new Map();
  const durations: Counts = new Map();
  return {
    count: (fn, outcome, seconds) => {
      const labels = `function="${fn}",outcome="${outcome}"`;
      add(reviews, labels, 1);
      add(durations, labels, seconds);
    },
    text: () =>
      [
        "# HELP sampledb_admission_reviews_total Admission reviews answered.",
        "# TYPE sampledb_admission_reviews_total counter",
        ...lines("sampledb_admission_reviews_total", reviews),
        "# HELP sampledb_admission_review_duration_seconds Time from a review's first byte to its answer.",
        "# TYPE sampledb_admission_review_duration_seconds summary",
        ...lines("sampledb_admission_review_duration_seconds_sum", durations),
        ...lines("sampledb_admission_review_duration_seconds_count", reviews),
        "# HELP process_resident_memory_bytes Resident memory.",
        "# TYPE process_resident_memory_bytes gauge",
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        "",
      ].join("\n"),
  };
};
