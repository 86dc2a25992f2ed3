import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

type Shape = { readonly name: string; readonly help: string; readonly labelNames: string[] };

/** A registry of a process's own, with what the library tells of any process in it. Loaded late: see metrics.ts. */
export const prometheus = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    counter: (shape: Shape) => new Counter({ ...shape, registers }),
    histogram: (shape: Shape, buckets: number[]) => new Histogram({ ...shape, buckets, registers }),
    gauge: (name: string, help: string, read: () => number): void => {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
    },
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
};
