import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SampleDBSpec } from "../../../functions/shared/api/sampledb.ts";
import type { LocalCluster } from "../../support/cluster/index.ts";
import { whyNoNode } from "../../support/cluster/require-host.ts";
import { waitUntil } from "../../support/cluster/wait-until.ts";
import { type Database, database } from "../../support/database.ts";
import { dropNamespaces } from "../../support/drop-namespaces.ts";
import { applyInitSource } from "../../support/init-source.ts";
import { resyncNow } from "../../support/resync-now.ts";
import { sharedNode } from "../../support/shared-node.ts";
import { eventCounts, untilCurrent, untilStalled } from "../../support/tells.ts";

const NAMESPACE = "init-failing";
const FIRST = "CREATE TABLE runs (script text);\nINSERT INTO runs VALUES ('first');\n";
const SECOND = "INSERT INTO runs VALUES ('second');\n";
// Goes on when the test says so, by making that table.
const HELD = `${SECOND}DO $$
BEGIN
  WHILE NOT EXISTS (SELECT FROM pg_class WHERE relname = 'go_on') LOOP
    PERFORM pg_sleep(0.1);
  END LOOP;
END $$;
`;
const RUNS = "SELECT string_agg(script, ' ' ORDER BY script) FROM runs";

const specOf = (name: string, version: "15" | "17" = "17"): SampleDBSpec => ({
  version,
  resources: { requests: { cpu: "20m", memory: "128Mi" } },
  init: [
    { configMapKeyRef: { name: `${name}-sql`, key: "first.sql" } },
    { configMapKeyRef: { name: `${name}-sql`, key: "second.sql" } },
  ],
});

describe("init scripts that cannot run as they are", { skip: whyNoNode() ?? false }, () => {
  let cluster: LocalCluster;
  let typo: Database;
  let vacuum: Database;
  let missing: Database;
  let killed: Database;

  const put = (name: string, second: string, label?: string): Promise<void> =>
    applyInitSource(cluster, {
      kind: "ConfigMap",
      namespace: NAMESPACE,
      name: `${name}-sql`,
      scripts: { "first.sql": FIRST, "second.sql": second },
      ...(label === undefined ? {} : { database: label }),
    });

  before(async () => {
    cluster = await sharedNode();
    const make = (name: string): Promise<Database> => database(cluster, NAMESPACE, name);
    typo = await make("typo");
    [vacuum, missing, killed] = await Promise.all([make("vacuum"), make("missing"), make("killed")]);
    await put("typo", `${SECOND}SELEC 1;\n`, "typo");
    await put("vacuum", `${SECOND}VACUUM;\n`);
    await put("killed", HELD);
    await Promise.all([
      typo.apply(specOf("typo")),
      vacuum.apply(specOf("vacuum", "15")),
      missing.apply(specOf("missing")),
      killed.apply(specOf("killed")),
    ]);
  });
  after(() => dropNamespaces(NAMESPACE));

  it("do not run twice when their Job is deleted half way", async () => {
    await waitUntil(
      async () =>
        (await killed.sql("SELECT count(*) FROM sampledb.init_scripts")) === "1" ? true : undefined,
      { what: "the first script to have run", timeoutMs: 600_000, everyMs: 200 },
    );
    await killed.kubectl("delete", "job", "killed-init", "--wait=false");
    await killed.kubectl("delete", "pod", "-l", "job-name=killed-init", "--grace-period=1");
    await killed.sql("CREATE TABLE go_on ()");
    await untilCurrent(killed);
    assert.equal(await killed.sql(RUNS), "first second");
    assert.equal(await killed.sql("SELECT count(*) FROM sampledb.init_scripts"), "2");
  });

  it("show PostgreSQL's error and its line in the conditions, and nothing of the script stays", async () => {
    const message = await untilStalled(typo, "InitFailed", /^Init script typo-sql\/second\.sql: /u);
    assert.equal(
      message,
      'Init script typo-sql/second.sql: line 2: ERROR:  syntax error at or near "SELEC" (in: SELEC 1;). What it did was rolled back. Correct the script where it is; then it is tried again.',
    );
    const initialized = await typo.condition("Initialized");
    assert.deepEqual(
      [initialized?.status, initialized?.reason, initialized?.message],
      ["False", "InitFailed", message],
    );
    assert.equal(await typo.sql(RUNS), "first");
  });

  it("run to their end, each once, as soon as a labelled ConfigMap is corrected", async () => {
    await put("typo", SECOND, "typo");
    await untilCurrent(typo);
    assert.equal(await typo.sql(RUNS), "first second");
    const counts = await eventCounts(typo, "InitFailed", "DatabaseReady");
    assert.deepEqual(counts, { InitFailed: 1, DatabaseReady: 1 });
  });

  it("are told where PostgreSQL refuses a statement inside a transaction, and what to do with it", async () => {
    await untilStalled(
      vacuum,
      "InitFailed",
      /ERROR: {2}VACUUM cannot run inside a transaction block\. An init script runs in one transaction\. Take this statement out and run it later/u,
    );
  });

  it("are tried again by the sweep, or a visit by hand, where their ConfigMap has no label", async () => {
    await put("vacuum", SECOND);
    await resyncNow(cluster, `${vacuum.namespace}/${vacuum.name}`);
    await untilCurrent(vacuum);
    assert.equal(await vacuum.sql(RUNS), "first second");
  });

  it("are waited for while their ConfigMap is missing, and run when it is made", async () => {
    const says = /spec\.init\[0\] \(key first\.sql of ConfigMap missing-sql\), spec\.init\[1\]/u;
    const message = await untilStalled(missing, "InitSourceMissing", says);
    assert.match(message, /Create it in this namespace/u);
    await put("missing", SECOND, "missing");
    await untilCurrent(missing);
    assert.equal(await missing.sql(RUNS), "first second");
  });
});
