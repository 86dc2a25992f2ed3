import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** What a process counts. One per process (or per server in a test): prom-client's own global registry would be shared. */
export type Metrics = {
  readonly counter: (name: string, help: string, labels: readonly string[]) => Counter;
  /** A histogram of durations, with `buckets` other than those for calls and passes where given. */
  readonly seconds: (
    name: string,
    help: string,
    labels: readonly string[],
    buckets?: readonly number[],
  ) => Histogram;
  readonly gauge: (name: string, help: string, read: () => number) => void;
  /** The Prometheus text format and its content type. */
  readonly page: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

// From one read of a warm API server to the longest that a delivery is waited for.
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const metrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    counter: (name, help, labels) => new Counter({ name, help, labelNames: [...labels], registers }),
    seconds: (name, help, labels, buckets = BUCKETS) =>
      new Histogram({ name, help, labelNames: [...labels], registers, buckets: [...buckets] }),
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
    },
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};
