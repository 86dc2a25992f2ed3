import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilCurrent, untilInTrouble, untilStalled } from "../../support/tells.ts";

const NAMESPACE = "diagnoses-pod";
const SMALL = { requests: { cpu: "20m", memory: "128Mi" }, limits: { memory: "256Mi" } };
const HUGE = { requests: { memory: "900Gi" }, limits: { memory: "900Gi" } };
// It is on the node, and no PostgreSQL is in it.
const NOT_POSTGRES = "localhost/sampledb-functions:dev";

describe("a pod that does not run", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let huge: Database;
  let crashing: Database;

  before(async () => {
    cluster = await sharedNode();
    huge = await database(cluster, NAMESPACE, "huge");
    crashing = await database(cluster, NAMESPACE, "crashing");
    await Promise.all([
      huge.apply({ resources: HUGE }),
      crashing.apply({ resources: SMALL, image: NOT_POSTGRES }),
    ]);
  });
  after(() => dropNamespaces(NAMESPACE));

  it("is told where it fits on no node; for a minute that may still mend itself", async () => {
    await untilInTrouble(
      huge,
      "Unschedulable",
      /^No node takes Pod huge-1-0: 0\/1 nodes are available: 1 Insufficient memory\..*Add room to the cluster or lower spec\.resources\.$/su,
    );
  });

  it("is told where it ends again and again, with its last words and where there are more", async () => {
    await untilStalled(
      crashing,
      "CrashLooping",
      /\(exit code 127\): .*postgres: command not found\. More with: kubectl logs -n diagnoses-pod crashing-1-0 --previous$/u,
    );
  });

  it("is replaced by one that runs when the spec is corrected", async () => {
    await Promise.all([
      huge.apply({ resources: SMALL }),
      crashing.apply({ resources: SMALL, image: "localhost/postgres:17" }),
    ]);
    await Promise.all([huge, crashing].map(untilCurrent));
    assert.deepEqual(await eventCounts(huge, "Unschedulable"), { Unschedulable: 1 });
    assert.deepEqual(await eventCounts(crashing, "CrashLooping"), { CrashLooping: 1 });
  });
});
