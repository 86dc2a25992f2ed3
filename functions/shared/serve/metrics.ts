import type { prometheus } from "./prometheus.ts";

type Labels = Readonly<Record<string, string>>;

/** What a process counts. One per process (or per server in a test): the library's own global registry would be shared. */
export type Metrics = {
  readonly counter: (name: string, help: string, labels: readonly string[]) => Counted;
  /** A histogram of durations, with `buckets` other than those for calls and passes where given. */
  readonly seconds: (
    name: string,
    help: string,
    labels: readonly string[],
    buckets?: readonly number[],
  ) => Timed;
  readonly gauge: (name: string, help: string, read: () => number) => void;
  /** The Prometheus text format and its content type. */
  readonly page: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

type Counted = { readonly inc: (labels: Labels, by?: number) => void };
type Timed = { readonly observe: (labels: Labels, seconds: number) => void };

// From one read of a warm API server to the longest that a delivery is waited for.
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** So much is remembered before the library is loaded; a process that has counted so much is no longer starting. */
const MAX_WAITING = 1000;

type Prometheus = ReturnType<typeof prometheus>;

/** Work that waits until prom-client is loaded, which the first `load` begins: loading it takes a tenth of a cold start. */
const later = () => {
  const waiting: ((loaded: Prometheus) => void)[] = [];
  let loaded: Prometheus | undefined;
  let loading: Promise<Prometheus> | undefined;
  const begin = async (): Promise<Prometheus> => {
    const library = await import("./prometheus.ts");
    loaded = library.prometheus();
    for (const work of waiting.splice(0)) work(loaded);
    return loaded;
  };
  const load = (): Promise<Prometheus> => (loading ??= begin());
  const whenLoaded = (work: (loaded: Prometheus) => void): void => {
    if (loaded !== undefined) return work(loaded);
    waiting.push(work);
    if (waiting.length > MAX_WAITING) void load();
  };
  return { load, whenLoaded };
};

export const metrics = (): Metrics => {
  const { load, whenLoaded } = later();
  return {
    counter: (name, help, labels) => {
      let counter: ReturnType<Prometheus["counter"]> | undefined;
      whenLoaded((loaded) => {
        counter = loaded.counter({ name, help, labelNames: [...labels] });
      });
      return { inc: (of, by = 1) => whenLoaded(() => counter?.inc(of, by)) };
    },
    seconds: (name, help, labels, buckets = BUCKETS) => {
      let histogram: ReturnType<Prometheus["histogram"]> | undefined;
      whenLoaded((loaded) => {
        histogram = loaded.histogram({ name, help, labelNames: [...labels] }, [...buckets]);
      });
      return { observe: (of, seconds) => whenLoaded(() => histogram?.observe(of, seconds)) };
    },
    gauge: (name, help, read) => whenLoaded((loaded) => loaded.gauge(name, help, read)),
    page: async () => (await load()).page(),
  };
};
