import { after, before } from "node:test";
import type { ApiServer } from "../../functions/shared/kube/api-server.ts";
import { apiServer } from "../../functions/shared/kube/api-server.ts";
import { readAccess } from "../../functions/shared/kube/read-access.ts";
import { startCluster } from "./cluster/index.ts";
import type { LocalCluster } from "./cluster/index.ts";
import { installCrds } from "./deploy/install-crds.ts";

/** A real API server with the CRD and the namespace `shop`. */
export type ApiLevel = {
  readonly cluster: LocalCluster;
  readonly api: ApiServer;
  readonly apply: (object: object) => Promise<string>;
};

const levelOf = (cluster: LocalCluster): ApiLevel => ({
  cluster,
  api: apiServer(readAccess({ KUBECONFIG: cluster.kubeconfig })),
  apply: (object) => cluster.kubectl(["apply", "-f", "-"], JSON.stringify(object)),
});

/** Starts an API server before the tests of the calling suite and ends it after them. */
export const useApiLevel = (): (() => ApiLevel) => {
  let cluster: LocalCluster | undefined;
  let level: ApiLevel | undefined;
  before(async () => {
    cluster = await startCluster({ level: "api", auditLog: false });
    await installCrds(cluster.kubectl);
    await cluster.kubectl(["create", "namespace", "shop"]);
    level = levelOf(cluster);
  });
  after(async () => {
    level?.api.close();
    await cluster?.stop();
  });
  return () => {
    if (level === undefined) throw new Error("the API server has not been started");
    return level;
  };
};

/** A SampleDB in `shop`, as a user would write it. */
export const writtenSampleDB = (name: string): object => ({
  apiVersion: "sampledb.dev/v1",
  kind: "SampleDB",
  metadata: { name, namespace: "shop" },
  spec: {},
});
