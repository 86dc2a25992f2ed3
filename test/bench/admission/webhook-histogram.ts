import type { LocalCluster } from "../../support/cluster/index.ts";

const METRIC = "apiserver_admission_webhook_admission_duration_seconds";

type Counts = { readonly sum: number; readonly count: number };

/** By webhook, what the API server counted of its calls so far. */
export const webhookCounts = async ({ kubectl }: LocalCluster): Promise<ReadonlyMap<string, Counts>> => {
  const page = await kubectl(["get", "--raw", "/metrics"]);
  const found = new Map<string, { sum: number; count: number }>();
  for (const [, what = "", labels = "", value] of page.matchAll(
    new RegExp(`^${METRIC}_(sum|count)\\{([^}]*)\\} (\\S+)$`, "gmu"),
  )) {
    const name = /name="(?<name>[^"]+)"/u.exec(labels)?.groups?.["name"] ?? "";
    const counts = found.get(name) ?? { sum: 0, count: 0 };
    counts[what === "sum" ? "sum" : "count"] += Number(value);
    found.set(name, counts);
  }
  return found;
};

/** Means since `before`, as text. The lowest bucket is 5 ms, so means are all that it tells. */
export const meansSince = (before: ReadonlyMap<string, Counts>, after: ReadonlyMap<string, Counts>): string =>
  [...after]
    .map(([name, { sum, count }]) => {
      const earlier = before.get(name) ?? { sum: 0, count: 0 };
      const calls = count - earlier.count;
      return `${name} ${(((sum - earlier.sum) / calls) * 1000).toFixed(2)} ms (${calls})`;
    })
    .join(", ");
