import type { LocalCluster } from "./cluster/index.ts";
import type { Database } from "./database.ts";

/** A database's claim and what is behind it. */
export type Volume = {
  readonly claimUid: string;
  /** Name of the PersistentVolume. */
  readonly name: string;
  /** The folder on the node, which is a folder of this host. */
  readonly folder: string;
};

/** The volume of the SampleDB's first claim. */
export const volumeOf = async (
  cluster: LocalCluster,
  { namespace, name }: Pick<Database, "namespace" | "name">,
): Promise<Volume> => {
  const claim = await cluster.kubectl([
    "get",
    "pvc",
    `${name}-1-1`,
    "-n",
    namespace,
    "-o",
    "jsonpath={.metadata.uid} {.spec.volumeName}",
  ]);
  const [claimUid = "", volume = ""] = claim.split(" ");
  const folder = await cluster.kubectl(["get", "pv", volume, "-o", "jsonpath={.spec.hostPath.path}"]);
  return { claimUid, name: volume, folder };
};
