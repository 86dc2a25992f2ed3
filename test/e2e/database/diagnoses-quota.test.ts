import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
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

const namespaceOf = (what: string): string => `quota-${what.replace(".", "-")}`;

/** Kubernetes' own controllers wait as long again as they were refused, however long that was; a change of the object wakes them. */
const wakeControllers = async (db: Database): Promise<void> => {
  for (const object of (await db.kubectl("get", "statefulsets,jobs", "-o", "name"))
    .split("\n")
    .filter(Boolean))
    // A Job that was let through has ended and been removed meanwhile: it needs no waking.
    await db.kubectl("label", object, "shop.example.com/woken=true").catch((error: unknown) => {
      assert.match(String(error), /not found/u);
    });
};

describe("a ResourceQuota that leaves no room", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  const databases = new Map<string, Database>();
  /** Waits until it is in force: the quota controller has to have counted before the quota lets anything through. */
  const setQuota = async ({ namespace, kubectl }: Database, hard: object): Promise<void> => {
    const metadata = { name: "tight", namespace };
    const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard } };
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(quota));
    for (const [key, value] of Object.entries(hard)) {
      const counted = `--for=jsonpath={.status.hard.${key.replaceAll(".", "\\.")}}=${String(value)}`;
      await kubectl("wait", "resourcequota/tight", counted, "--timeout=300s");
    }
  };
  const of = (what: string): Database => {
    const db = databases.get(what);
    assert.ok(db);
    return db;
  };

  before(async () => {
    cluster = await sharedNode();
    await Promise.all(
      ROWS.map(async ({ what, small }) => {
        const db = await database(cluster, namespaceOf(what));
        databases.set(what, db);
        await setQuota(db, small);
        await db.apply({});
      }),
    );
  });
  after(() => dropNamespaces(...ROWS.map(({ what }) => namespaceOf(what))));

  for (const { what, says } of ROWS) {
    it(`on ${what} is told with the API server's words and what to do`, async () => {
      await untilStalled(of(what), "QuotaExceeded", says);
    });
  }

  it("holds nothing up once it is raised", async () => {
    await Promise.all(
      ROWS.map(async ({ what, enough }) => {
        await setQuota(of(what), enough);
        await wakeControllers(of(what));
      }),
    );
    await resyncNow(cluster);
    await Promise.all([...databases.values()].map(untilCurrent));
    for (const { what } of ROWS) {
      const counts = await eventCounts(of(what), "QuotaExceeded", "DatabaseReady");
      assert.deepEqual(counts, { QuotaExceeded: 1, DatabaseReady: 1 }, what);
    }
  });
});
