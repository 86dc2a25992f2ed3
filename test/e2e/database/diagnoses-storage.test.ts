import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilCurrent, untilStalled } from "../../support/tells.ts";

const NAMESPACE = "diagnoses-storage";
const IS_DEFAULT = "storageclass.kubernetes.io/is-default-class";
const SMALL = { requests: { cpu: "20m", memory: "128Mi" } };

const storageClass = (name: string, provisioner: string): string =>
  JSON.stringify({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name },
    provisioner,
    volumeBindingMode: "WaitForFirstConsumer",
  });

describe("a StorageClass that is not there", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let named: Database;
  let unnamed: Database;

  const setDefault = (value: "true" | "false"): Promise<string> =>
    cluster.kubectl(["annotate", "storageclass", "local-path", "--overwrite", `${IS_DEFAULT}=${value}`]);

  before(async () => {
    cluster = await sharedNode();
    named = await database(cluster, NAMESPACE, "named");
    unnamed = await database(cluster, NAMESPACE, "unnamed");
    await setDefault("false");
    await Promise.all([
      named.apply({ resources: SMALL, storage: { storageClassName: "fast" } }),
      unnamed.apply({ resources: SMALL }),
    ]);
  });
  // The node is shared: the files after this one need the default.
  after(async () => {
    await setDefault("true");
    await cluster.kubectl(["delete", "storageclass", "fast", "--ignore-not-found"]);
    await dropNamespaces(NAMESPACE);
  });

  it("is told by its name, and what to do", async () => {
    assert.equal(
      await untilStalled(named, "StorageClassMissing", /^StorageClass fast,/u),
      "StorageClass fast, which PersistentVolumeClaim named-1-1 names, does not exist. Create it, or create the SampleDB anew with a spec.storage.storageClassName from: kubectl get storageclass",
    );
  });

  it("is told where the cluster has no default and the SampleDB names none", async () => {
    assert.equal(
      await untilStalled(unnamed, "StorageClassMissing", /names no StorageClass/u),
      `PersistentVolumeClaim unnamed-1-1 names no StorageClass and the cluster has no default one. Make a class the default (annotation ${IS_DEFAULT}: "true"), or create the SampleDB anew with spec.storage.storageClassName.`,
    );
  });

  it("is waited for: each database becomes Ready when its class is there", async () => {
    await cluster.kubectl(["apply", "-f", "-"], storageClass("fast", "rancher.io/local-path"));
    await setDefault("true");
    await Promise.all([named, unnamed].map(untilCurrent));
    for (const db of [named, unnamed]) {
      const counts = await eventCounts(db, "StorageClassMissing", "DatabaseReady");
      assert.deepEqual(counts, { StorageClassMissing: 1, DatabaseReady: 1 });
    }
  });
});
