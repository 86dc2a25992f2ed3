import { LABEL } from "../../functions/shared/api/markers.ts";
import type { LocalCluster } from "./cluster/index.ts";
import { waitUntil } from "./cluster/wait-until.ts";
import type { Database } from "./database.ts";

const KINDS =
  "sampledbs,statefulsets,controllerrevisions,jobs,pods,persistentvolumeclaims,secrets,configmaps,services,endpointslices,poddisruptionbudgets";

const lines = (text: string): readonly string[] => text.split("\n").filter(Boolean);

/** Everything in the cluster that is labelled as of this SampleDB, its volumes included, as `kind/name`, sorted. */
export const remains = async (
  cluster: LocalCluster,
  { namespace, name }: Pick<Database, "namespace" | "name">,
): Promise<readonly string[]> => {
  const [children, volumes] = await Promise.all([
    cluster.kubectl(["get", KINDS, "-n", namespace, "-l", `${LABEL.database}=${name}`, "-o", "name"]),
    cluster.kubectl([
      "get",
      "persistentvolumes",
      "-l",
      `${LABEL.database}=${name},${LABEL.namespace}=${namespace}`,
      "-o",
      "name",
    ]),
  ]);
  return [...lines(children), ...lines(volumes)].toSorted();
};

/** Waits until the SampleDB itself is gone and only `wanted` remains of it. */
export const untilOnly = async (
  cluster: LocalCluster,
  { namespace, name }: Pick<Database, "namespace" | "name">,
  wanted: readonly string[],
): Promise<void> => {
  const want = JSON.stringify(wanted.toSorted());
  await waitUntil(
    async () => {
      const sampledb = await cluster.kubectl(["get", "sdb", name, "-n", namespace, "--ignore-not-found"]);
      const found = await remains(cluster, { namespace, name });
      if (sampledb === "" && JSON.stringify(found) === want) return true;
      throw new Error(`there are ${[sampledb.trim(), ...found].join(" ")}`);
    },
    {
      what: `only [${wanted.join(" ")}] to remain of ${namespace}/${name}`,
      timeoutMs: 300_000,
      everyMs: 300,
    },
  );
};
