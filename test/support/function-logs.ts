import type { LocalCluster } from "./cluster/index.ts";
import { waitUntil } from "./cluster/wait-until.ts";
import { SYSTEM_NAMESPACE } from "./deploy/deploy.ts";

const isError = (line: string): boolean => {
  try {
    const entry: unknown = JSON.parse(line.slice(line.indexOf("{")));
    return typeof entry !== "object" || entry === null || !("level" in entry) || entry.level === "error";
  } catch {
    return true;
  }
};

// A sweep that meets functions in exchange fails, says so and leaves the rest to the next: no error of the functions.
const PODS = "app.kubernetes.io/part-of=sampledb,app.kubernetes.io/component!=resync";

/** Every line that the running functions logged, each after its pod's name. Pods that come or go as they are asked are asked again. */
export const functionLogs = async (cluster: LocalCluster): Promise<readonly string[]> => {
  const pods = ["-n", SYSTEM_NAMESPACE, "-l", PODS];
  const read = ["logs", ...pods, "--tail=-1", "--prefix", "--max-log-requests=50"];
  const logs = await waitUntil(() => cluster.kubectl(read), {
    what: "the functions' logs",
    timeoutMs: 300_000,
    everyMs: 500,
  });
  return logs.split("\n").filter(Boolean);
};

/** Those lines that tell of an error, or are no log lines at all. */
export const errorLines = async (cluster: LocalCluster): Promise<readonly string[]> =>
  (await functionLogs(cluster)).filter(isError);
