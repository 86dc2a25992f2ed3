import { LABEL } from "../../functions/shared/api/markers.ts";
import type { LocalCluster } from "./cluster/index.ts";

type Source = {
  readonly kind: "ConfigMap" | "Secret";
  readonly namespace: string;
  readonly name: string;
  /** Keys and the SQL in them. */
  readonly scripts: Readonly<Record<string, string>>;
  /** SampleDB whose label it carries, so that its changes are noticed at once; undefined: no label. */
  readonly database?: string;
};

/** Makes or changes a ConfigMap or Secret with init scripts, as a user does with kubectl apply. */
export const applyInitSource = async (
  { kubectl }: Pick<LocalCluster, "kubectl">,
  { kind, namespace, name, scripts, database }: Source,
): Promise<void> => {
  const labels = database === undefined ? {} : { [LABEL.database]: database };
  const body = kind === "Secret" ? { stringData: scripts } : { data: scripts };
  await kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({ apiVersion: "v1", kind, metadata: { namespace, name, labels }, ...body }),
  );
};
