import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { untilOnly } from "../../support/remains.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { type Volume, volumeOf } from "../../support/volume.ts";

// Names that begin with each other and look like each other's children: none may reach into another's things.
const ROWS = [
  { name: "orders", policy: "Wipe", cascade: "background" },
  { name: "orders-1", policy: "Retain", cascade: "background" },
  { name: "orders-1-1", policy: "Wipe", cascade: "foreground" },
  { name: "orders-1-0", policy: "Retain", cascade: "foreground" },
  { name: "orders-init", policy: "Wipe", cascade: "orphan" },
  { name: "orders-2", policy: "Retain", cascade: "orphan" },
] as const;

type Living = { readonly db: Database; readonly volume: Volume; readonly passwords: string };

const SMALL = { requests: { cpu: "20m", memory: "128Mi" }, limits: { cpu: "1", memory: "256Mi" } };

const passwordsOf = ({ kubectl, name }: Database): Promise<string> =>
  kubectl("get", "secret", name, `${name}-superuser`, "-o", "jsonpath={.items[*].data.password}");

const keptOf = ({ db: { name }, volume }: Living): readonly string[] => [
  `persistentvolume/${volume.name}`,
  `persistentvolumeclaim/${name}-1-1`,
  `secret/${name}`,
  `secret/${name}-superuser`,
];

const assertKept = async ({ db, volume, passwords }: Living): Promise<void> => {
  const { kubectl, name } = db;
  const claim = ["get", "pvc", `${name}-1-1`, "-o", "jsonpath={.metadata.uid} {.status.phase}"];
  assert.equal(await kubectl(...claim), `${volume.claimUid} Bound`);
  assert.equal(
    await kubectl("get", "pv", volume.name, "-o", "jsonpath={.spec.persistentVolumeReclaimPolicy}"),
    "Retain",
  );
  assert.ok(existsSync(`${volume.folder}/pgdata/PG_VERSION`));
  assert.equal(await passwordsOf(db), passwords);
  const own = ["-l", `sampledb.dev/database=${name},sampledb.dev/retained=true`, "-o", "name"];
  const labelled = (await kubectl("get", "pvc,secrets", ...own)).trim().split("\n").toSorted();
  assert.deepEqual(labelled, [
    `persistentvolumeclaim/${name}-1-1`,
    `secret/${name}`,
    `secret/${name}-superuser`,
  ]);
};

describe("a SampleDB that is deleted beside others", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  const living = new Map<string, Living>();

  const start = async ({ name, policy }: (typeof ROWS)[number]): Promise<void> => {
    const db = await database(cluster, "retire", name);
    await db.apply({ deletion: { policy }, resources: SMALL });
    await db.untilReady();
    await db.sql(`CREATE TABLE mine AS SELECT '${name}' AS name`);
    living.set(name, { db, volume: await volumeOf(cluster, db), passwords: await passwordsOf(db) });
  };

  const get = (name: string): Living => {
    const found = living.get(name);
    assert.ok(found, `${name} runs`);
    return found;
  };

  before(async () => {
    cluster = await sharedNode();
    await Promise.all(ROWS.map(start));
  });
  after(() => dropNamespaces("retire"));

  for (const [index, { name, policy, cascade }] of ROWS.entries()) {
    const what = policy === "Wipe" ? "leaves nothing" : "leaves claim, volume and both Secrets, and no more";
    it(`${what}: ${policy}, ${cascade}`, async () => {
      const one = get(name);
      await one.db.kubectl("delete", "sdb", name, `--cascade=${cascade}`, "--wait=false");
      await untilOnly(cluster, one.db, policy === "Wipe" ? [] : keptOf(one));
      if (policy === "Retain") return assertKept(one);
      await waitUntil(() => Promise.resolve(existsSync(one.volume.folder) ? undefined : true), {
        what: `the end of ${one.volume.folder}`,
        timeoutMs: 300_000,
      });
      await one.db.kubectl("wait", "--for=delete", `pv/${one.volume.name}`, "--timeout=300s");
      return assert.rejects(one.db.kubectl("get", "pv", one.volume.name), /not found/u);
    });

    it(`leaves the others alone: ${policy}, ${cascade}`, async () => {
      const others = ROWS.slice(index + 1).map((row) => get(row.name));
      const answers = await Promise.all(others.map(({ db }) => db.sql("SELECT name FROM mine")));
      assert.deepEqual(
        answers,
        others.map(({ db }) => db.name),
      );
      const gone = ROWS.slice(0, index + 1).filter((row) => row.policy === "Retain");
      await Promise.all(gone.map((row) => assertKept(get(row.name))));
    });
  }
});
