import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { resyncNow } from "../../support/resync-now.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilCurrent, untilStalled } from "../../support/tells.ts";

/** A quota too small for one database, what is told of it, and one that is just enough. */
const ROWS = [
  {
    what: "pods",
    small: { pods: "0" },
    says: /^StatefulSet orders-1: .*exceeded quota: tight, requested: pods=1, .*\. Raise the ResourceQuota of this namespace, or lower spec\.resources;/su,
    enough: { pods: "2" },
  },
  {
    what: "persistentvolumeclaims",
    small: { persistentvolumeclaims: "0" },
    says: /^PersistentVolumeClaim orders-1-1: .*exceeded quota: tight.*\. Raise the ResourceQuota of this namespace, or create the SampleDB anew with a smaller spec\.storage\.size;/su,
    enough: { persistentvolumeclaims: "1" },
  },
  {
    // The database fits and its init Job's pod, which runs beside it, does not.
    what: "limits.memory",
    small: { "limits.memory": "512Mi", "requests.memory": "512Mi", "limits.cpu": "2", "requests.cpu": "1" },
    says: /^Job orders-init: .*exceeded quota: tight, requested: limits\.memory=256Mi, .*\. Raise the ResourceQuota of this namespace;/su,
    enough: { "limits.memory": "768Mi", "requests.memory": "512Mi", "limits.cpu": "2", "requests.cpu": "1" },
  },
] as const;

describe("a ResourceQuota that leaves no room", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  const databases = new Map<string, Database>();
  const setQuota = ({ namespace }: Database, hard: object): Promise<string> =>
    cluster.kubectl(
      ["apply", "-f", "-"],
      JSON.stringify({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "tight", namespace },
        spec: { hard },
      }),
    );
  const of = (what: string): Database => {
    const db = databases.get(what);
    assert.ok(db);
    return db;
  };

  before(async () => {
    cluster = await sharedNode();
    await Promise.all(
      ROWS.map(async ({ what, small }) => {
        const db = await database(cluster, `quota-${what.replace(".", "-")}`);
        databases.set(what, db);
        await setQuota(db, small);
        // The quota controller has to have counted before the quota lets anything through.
        await db.kubectl("wait", "resourcequota/tight", "--for=jsonpath={.status.used}", "--timeout=60s");
        await db.apply({});
      }),
    );
  });

  for (const { what, says } of ROWS) {
    it(`on ${what} is told with the API server's words and what to do`, async () => {
      await untilStalled(of(what), "QuotaExceeded", says);
    });
  }

  it("holds nothing up once it is raised", async () => {
    await Promise.all(ROWS.map(({ what, enough }) => setQuota(of(what), enough)));
    await resyncNow(cluster);
    await Promise.all([...databases.values()].map(untilCurrent));
    for (const { what } of ROWS) {
      const { QuotaExceeded, DatabaseReady } = await eventCounts(of(what));
      assert.deepEqual({ QuotaExceeded, DatabaseReady }, { QuotaExceeded: 1, DatabaseReady: 1 }, what);
    }
  });
});
